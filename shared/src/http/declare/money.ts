import { integer } from './fields.ts';

/** Largest single amount, in the smallest unit of the configured currency. */
export const MAX_AMOUNT = 1_000_000_000;

/** An amount in a request: a whole number of the currency's smallest unit, 1 to 1,000,000,000. */
export const amount = () => integer({ min: 1, max: MAX_AMOUNT });
