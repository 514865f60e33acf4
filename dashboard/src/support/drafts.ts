import type { Intention } from '../shared/forms/reading.ts';

/* Drafts of replies and notes. They survive a new sign-in, other pages and reloads of this tab. */

export interface Draft {
  text: string;
  /** Set from the first attempt to send it until the server has accepted it. */
  intention?: Intention;
}

const KEY = 'tutoring.drafts';
/** The maximum number of drafts, over all administrators who use this tab. */
const MAX_DRAFTS = 100;

type Entry = [id: string, draft: Draft];

const isEntry = (entry: unknown): entry is Entry =>
  Array.isArray(entry) &&
  typeof entry[0] === 'string' &&
  typeof (entry[1] as Partial<Draft> | null | undefined)?.text === 'string';

function entriesIn(text: string | null): Entry[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(found) ? found.filter(isEntry) : [];
  } catch {
    return [];
  }
}

const idOf = (administrator: string, name: string) => `${administrator}/${name}`;

export function createDrafts(storage: Pick<Storage, 'getItem' | 'setItem'>) {
  /** In order of the last change, newest last. */
  let drafts = new Map(entriesIn(storage.getItem(KEY)));

  /** Stores as many of the newest drafts as fit; the page's memory keeps all. */
  function save(): void {
    for (let entries = [...drafts]; ; entries = entries.slice(1)) {
      try {
        return storage.setItem(KEY, JSON.stringify(entries));
      } catch {
        if (entries.length === 0) return;
      }
    }
  }
  return {
    of: (administrator: string, name: string): Draft => drafts.get(idOf(administrator, name)) ?? { text: '' },
    isAny: (administrator: string): boolean =>
      [...drafts].some(([id, { text }]) => id.startsWith(idOf(administrator, '')) && text.trim() !== ''),
    /** Replaces the draft with this name. An empty text deletes it. */
    keep(administrator: string, name: string, draft: Draft): void {
      const id = idOf(administrator, name);
      drafts.delete(id);
      if (draft.text !== '') drafts.set(id, draft);
      drafts = new Map([...drafts].slice(-MAX_DRAFTS));
      save();
    },
  };
}

/** The names of the drafts of a case. A room without a case has its uuid instead of an id. */
export const replyDraft = (of: number | string) => String(of);
export const noteDraft = (of: number) => `${of}/note`;

export type Drafts = ReturnType<typeof createDrafts>;
