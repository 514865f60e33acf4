import type * as jest from '@jest/globals';

/** Replaces `@jest/globals`: the functions that jest sets for each test file. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } =
  globalThis as unknown as typeof jest;
