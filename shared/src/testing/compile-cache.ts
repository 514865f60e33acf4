import { fileURLToPath } from 'node:url';

/** Environment of processes that tests start: they start in half the time when their compiled code is kept. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../node_modules/.cache/processes', import.meta.url)),
};
