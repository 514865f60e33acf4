/** 1 in `npm run test:full`: big loads in full. */
const SCALE = process.env['TEST_SCALE'];

export const IS_FULL = SCALE === '1';

/** How many of `full` a test makes: all of them in `npm run test:full`, else `quick`. */
export const scaled = (full: number, quick: number): number =>
  SCALE === undefined ? quick : Math.max(1, Math.round(full * Number(SCALE)));

/** For what makes many: a machine that is slow needs hours for all of them. */
export const PATIENCE_MS = IS_FULL ? 4_500_000 : 600_000;
