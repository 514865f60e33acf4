import type * as jest from '@jest/globals';

/** What test files import from `@jest/globals`: jest sets it for each file. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } =
  globalThis as unknown as typeof jest;
