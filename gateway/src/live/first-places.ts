/** Remembers where events were first published: at least the newest `size`, at most twice as many. */
export function createFirstPlaces(size: number) {
  let newer = new Map<string, number>();
  let older = new Map<string, number>();
  return {
    /** Whether the event is at `seq` for the first time, as far as is remembered. */
    isFirst(id: string, seq: number): boolean {
      const known = newer.get(id) ?? older.get(id);
      if (known !== undefined && known < seq) return false;
      if (newer.size >= size) {
        older = newer;
        newer = new Map();
      }
      newer.set(id, seq);
      return true;
    },
    /** What is remembered counts as published before every place: the stream gives its places to others. */
    reset(): void {
      for (const places of [newer, older]) for (const id of places.keys()) places.set(id, 0);
    },
  };
}
