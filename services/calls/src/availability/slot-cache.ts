import { createLru } from '@tutoring/shared/kit/cache';
import { merged, type Range } from './slot.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const twoDigits = (value: number) => String(value).padStart(2, '0');
/** The part of a timestamp after its date, by minute of the day. */
const TIMES_OF_DAY = Array.from(
  { length: 24 * 60 },
  (_, minute) => `T${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}:00.000000Z`,
);

/** Creates a formatter of timestamps for answers. It is fastest for whole minutes of the same day. */
function createTimestampFormatter(): (time: number) => string {
  let [midnight, date] = [NaN, ''];
  return (time) => {
    if (!(time >= midnight && time < midnight + DAY)) {
      midnight = Math.floor(time / DAY) * DAY;
      date = new Date(midnight).toISOString().slice(0, 10);
    }
    const clock = TIMES_OF_DAY[(time - midnight) / MINUTE];
    return clock === undefined ? new Date(time).toISOString().replace(/Z$/, '000Z') : date + clock;
  };
}

/** All slots of a teacher in a window, free and taken: their starts, and the concatenated JSON of each. */
export interface RenderedSlots {
  starts: number[];
  length: number;
  text: string;
}

/** Length of a slot in `text`, including the comma after it. */
const WIDTH = '{"starts_at":"2026-11-30T09:00:00.000000Z","ends_at":"2026-11-30T10:00:00.000000Z"},'.length;

export function renderSlots(starts: number[], length: number): RenderedSlots {
  const [startText, endText] = [createTimestampFormatter(), createTimestampFormatter()];
  const texts = starts.map(
    (from) => '{"starts_at":"' + startText(from) + '","ends_at":"' + endText(from + length) + '"},',
  );
  return { starts, length, text: texts.join('') };
}

/** The JSON of the slots that begin at `earliest` or later and overlap no range of `taken`. */
export function freeSlotsJson({ starts, length, text }: RenderedSlots, earliest: number, taken: Range[]): string {
  const busy = merged(taken);
  const runs: string[] = [];
  let nextBusy = 0;
  let first = 0;
  const endRun = (end: number) => {
    if (first < end) runs.push(text.slice(first * WIDTH, end * WIDTH));
    first = end + 1;
  };
  starts.forEach((from, index) => {
    while (nextBusy < busy.length && busy[nextBusy]!.to <= from) nextBusy += 1;
    const isTaken = nextBusy < busy.length && busy[nextBusy]!.from < from + length;
    if (isTaken || from < earliest) endRun(index);
  });
  endRun(starts.length);
  return `[${runs.join('').slice(0, -1)}]`;
}

/** About ten megabytes. */
const MAX_SLOTS = 100_000;

/**
 * A cache of at most `maxSlots` slots in total. A key contains everything that its slots depend on, so entries are never
 * stale. Empty entries have a size, too.
 */
export const createSlotCache = (maxSlots = MAX_SLOTS) =>
  createLru<RenderedSlots>(maxSlots, ({ starts }) => starts.length + 10);

export type SlotCache = ReturnType<typeof createSlotCache>;
