import type { Intention } from '../shared/forms/reading.ts';

/* Drafts of replies. They survive a new sign-in, other pages and reloads of this tab. */

export interface Draft {
  text: string;
  /** Set from the first attempt to send it until the server has accepted it. */
  intention?: Intention;
}

const KEY = 'tutoring.drafts';
/** The maximum number of drafts, over all administrators who use this tab. */
const MAX_DRAFTS = 20;

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

const idOf = (administrator: string, room: string) => `${administrator}/${room}`;

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
    of: (administrator: string, room: string): Draft => drafts.get(idOf(administrator, room)) ?? { text: '' },
    isAny: (administrator: string): boolean =>
      [...drafts].some(([id, { text }]) => id.startsWith(idOf(administrator, '')) && text.trim() !== ''),
    /** Replaces a room's draft. An empty text deletes it. */
    keep(administrator: string, room: string, draft: Draft): void {
      const id = idOf(administrator, room);
      drafts.delete(id);
      if (draft.text !== '') drafts.set(id, draft);
      drafts = new Map([...drafts].slice(-MAX_DRAFTS));
      save();
    },
  };
}

export type Drafts = ReturnType<typeof createDrafts>;
