import { fileURLToPath } from 'node:url';

/** Environment of child processes: with cached compiled code they start in half the time. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/processes', import.meta.url)),
};
