import pg from 'pg';

const TIMESTAMPTZ = 1184;
const INT8 = 20;
const NUMERIC = 1700;

/** PostgreSQL's `2026-11-20 21:04:06.5+00` as `2026-11-20T21:04:06.500000Z`; sessions run in UTC. */
export function isoMicroseconds(text: string): string {
  const match = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/.exec(text);
  if (!match) return text;
  return `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(6, '0')}Z`;
}

/** int8 as a JavaScript number; throws rather than lose a digit. */
export function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a JavaScript number`);
  return value;
}

/** How a connection reads columns; pg's own readers serve the other types. */
export const columnTypes = new pg.TypeOverrides();
columnTypes.setTypeParser(TIMESTAMPTZ, isoMicroseconds);
columnTypes.setTypeParser(INT8, safeInteger);
columnTypes.setTypeParser(NUMERIC, safeInteger);
