import { merged, type Range } from './slot.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const two = (value: number) => String(value).padStart(2, '0');
/** The part of a timestamp after its date, by minute of the day. */
const CLOCKS = Array.from(
  { length: 24 * 60 },
  (_, minute) => `T${two(Math.floor(minute / 60))}:${two(minute % 60)}:00.000000Z`,
);

/** Creates a formatter of timestamps for answers. It is fastest for whole minutes of the same day. */
function createTimeText(): (time: number) => string {
  let [midnight, date] = [NaN, ''];
  return (time) => {
    if (!(time >= midnight && time < midnight + DAY)) {
      midnight = Math.floor(time / DAY) * DAY;
      date = new Date(midnight).toISOString().slice(0, 10);
    }
    const clock = CLOCKS[(time - midnight) / MINUTE];
    return clock === undefined ? new Date(time).toISOString().replace(/Z$/, '000Z') : date + clock;
  };
}

/** All slots of a teacher in a window, free and taken: their starts, and the concatenated JSON of each. */
export interface ListedSlots {
  starts: number[];
  length: number;
  text: string;
}

/** Length of a slot in `text`, including the comma after it. */
const WIDTH = '{"starts_at":"2026-11-30T09:00:00.000000Z","ends_at":"2026-11-30T10:00:00.000000Z"},'.length;

export function listedSlots(starts: number[], length: number): ListedSlots {
  const [startText, endText] = [createTimeText(), createTimeText()];
  const texts = starts.map(
    (from) => '{"starts_at":"' + startText(from) + '","ends_at":"' + endText(from + length) + '"},',
  );
  return { starts, length, text: texts.join('') };
}

/** The JSON of the slots that begin at `earliest` or later and overlap no range of `taken`. */
export function freeText({ starts, length, text }: ListedSlots, earliest: number, taken: Range[]): string {
  const busy = merged(taken);
  const runs: string[] = [];
  let place = 0;
  let first = 0;
  const endRun = (end: number) => {
    if (first < end) runs.push(text.slice(first * WIDTH, end * WIDTH));
    first = end + 1;
  };
  starts.forEach((from, index) => {
    while (place < busy.length && busy[place]!.to <= from) place += 1;
    const isTaken = place < busy.length && busy[place]!.from < from + length;
    if (isTaken || from < earliest) endRun(index);
  });
  endRun(starts.length);
  return `[${runs.join('').slice(0, -1)}]`;
}

/** About ten megabytes. */
const MOST_SLOTS = 100_000;

/**
 * A least-recently-used cache of at most `most` slots in total. A key contains everything that its slots depend on, so
 * entries are never stale.
 */
export function createSlotCache(most = MOST_SLOTS) {
  const kept = new Map<string, ListedSlots>();
  let slots = 0;
  /** Empty entries have a size, too. */
  const sizeOf = ({ starts }: ListedSlots) => starts.length + 10;
  return {
    get(key: string): ListedSlots | undefined {
      const found = kept.get(key);
      if (found && kept.delete(key)) kept.set(key, found);
      return found;
    },
    keep(key: string, listed: ListedSlots): void {
      if (kept.has(key)) return;
      kept.set(key, listed);
      slots += sizeOf(listed);
      for (const [oldest, { starts }] of kept) {
        if (slots <= most) break;
        slots -= sizeOf({ starts, length: 0, text: '' });
        kept.delete(oldest);
      }
    },
    /** The number of cached slots. */
    size: () => [...kept.values()].reduce((sum, { starts }) => sum + starts.length, 0),
  };
}
