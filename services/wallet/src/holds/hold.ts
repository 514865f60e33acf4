import { text } from '@tutoring/shared/http/fields';

/** A call's hold ends when nobody touched it for this long. */
export const HOLD_SECONDS = 600;

/** `call:<identifier>`: the reference of a call's hold. */
export const callReference = () => text().regex(/^call:[^:]+$/);
