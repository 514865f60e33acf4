/** Scale of large loads: 1 in `npm run test:full`. */
const SCALE = process.env['TEST_SCALE'];

const IS_FULL = SCALE === '1';

/** Size of a load: `full` (times TEST_SCALE) if it is set, as in `npm run test:full`; else `quick`. */
export const scaled = (full: number, quick: number): number =>
  SCALE === undefined ? quick : Math.max(1, Math.round(full * Number(SCALE)));

/** Timeout of tests with large loads: a slow machine needs hours for the full load. */
export const LOAD_TIMEOUT_MS = IS_FULL ? 4_500_000 : 600_000;
