import type { Intention } from '../shared/forms/reading.ts';

/* Replies that have been begun: kept in this tab over a new sign-in, other pages and reloads. */

export interface Draft {
  text: string;
  /** Under which it was sent, while the answer is not known. */
  intention?: Intention;
}

const KEY = 'tutoring.drafts';
/** Of all administrators who sign in in this tab, together. */
const MOST = 20;

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
  /** The latest last. */
  let drafts = new Map(entriesIn(storage.getItem(KEY)));

  /** As many of the latest as the storage takes; this page keeps all. */
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
    /** Replaces what was kept for a room; an empty text is forgotten. */
    keep(administrator: string, room: string, draft: Draft): void {
      const id = idOf(administrator, room);
      drafts.delete(id);
      if (draft.text !== '') drafts.set(id, draft);
      drafts = new Map([...drafts].slice(-MOST));
      save();
    },
  };
}

export type Drafts = ReturnType<typeof createDrafts>;
