import { merged, type Range } from './slot.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const two = (value: number) => String(value).padStart(2, '0');
/** What follows the date, by the minute of the day. */
const CLOCKS = Array.from(
  { length: 24 * 60 },
  (_, minute) => `T${two(Math.floor(minute / 60))}:${two(minute % 60)}:00.000000Z`,
);

/** A writer of times as answers have them; it is fastest for whole minutes of the same day. */
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

/** The slots of a teacher in a window, whatever is taken of them: when each begins, and all as JSON, one after the other. */
export interface ListedSlots {
  starts: number[];
  length: number;
  text: string;
}

/** Characters of a slot in `text`, with the comma behind it. */
const WIDTH = '{"starts_at":"2026-11-30T09:00:00.000000Z","ends_at":"2026-11-30T10:00:00.000000Z"},'.length;

export function listedSlots(starts: number[], length: number): ListedSlots {
  const [startText, endText] = [createTimeText(), createTimeText()];
  const texts = starts.map(
    (from) => '{"starts_at":"' + startText(from) + '","ends_at":"' + endText(from + length) + '"},',
  );
  return { starts, length, text: texts.join('') };
}

/** The JSON of those slots that begin at `earliest` or later and meet no range of `taken`. */
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
 * Keeps what was computed for a key, at most `most` slots of all together; what was asked for longest ago goes first. A
 * key names everything that its slots depend on, so that nothing in here is ever out of date.
 */
export function createSlotCache(most = MOST_SLOTS) {
  const kept = new Map<string, ListedSlots>();
  let slots = 0;
  /** An empty listing takes its room, too. */
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
    /** How many slots it keeps. */
    size: () => [...kept.values()].reduce((sum, { starts }) => sum + starts.length, 0),
  };
}
