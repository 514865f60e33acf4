import { useState } from 'react';
import type { Intention } from '../shared/forms/reading.ts';
import type { Drafts } from './drafts.ts';

export interface DraftOptions {
  /** The administrator's id. */
  administrator: string;
  drafts: Drafts;
  /** The draft's name. */
  name: string;
}

/** A draft, and its intention while the outcome of a send is unknown. */
export function useDraft({ administrator, drafts, name }: DraftOptions) {
  const stored = () => drafts.of(administrator, name);
  const [text, setText] = useState(() => stored().text);
  const write = (value: string) => {
    setText(value);
    drafts.keep(administrator, name, { ...stored(), text: value });
  };
  const [intention] = useState(() => ({
    get current() {
      return stored().intention;
    },
    set current(now: Intention | undefined) {
      drafts.keep(administrator, name, { text: stored().text, ...(now && { intention: now }) });
    },
  }));
  return { text, write, intention };
}
