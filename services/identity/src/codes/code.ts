import { createHmac, randomInt } from 'node:crypto';
import type { CodePurpose } from '../texts.ts';

export const newCode = () => String(randomInt(1_000_000)).padStart(6, '0');

/** How codes are stored: bound to their purpose and account by a key that the database does not hold. */
export function createCodeHash(key: string) {
  return (purpose: CodePurpose, subject: string, code: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify(['code', purpose, subject, code]))
      .digest();
}

export type CodeHash = ReturnType<typeof createCodeHash>;
