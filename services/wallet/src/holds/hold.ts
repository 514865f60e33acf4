/** A call's hold ends when nobody touched it for this long. */
export const HOLD_SECONDS = 600;
