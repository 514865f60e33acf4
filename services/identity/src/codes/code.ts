import { createHmac, randomInt } from 'node:crypto';
import { typedCode } from '@tutoring/shared/language/typed-text';
import type { KeyPair } from '@tutoring/shared/process/config';
import type { CodePurpose } from '../texts.ts';

export const newCode = () => String(randomInt(1_000_000)).padStart(6, '0');

/** Wrong tries of one purpose and account: of the client's network, and of all networks together. */
export interface WrongTries {
  /** Within ten minutes. */
  lately: number;
  /** Within a day. */
  today: number;
  /** Within a day, of all networks. */
  everywhere: number;
}

/** Guesses from elsewhere do not lock the owner out, and many networks together cannot find a code. */
export const mayTry = ({ lately, today, everywhere }: WrongTries) => lately < 5 && today < 20 && everywhere < 60;

/**
 * Hashes under which codes are stored: bound to a purpose and an account by a key that the database does not hold.
 * Returns one hash by each key: the first is stored, all of them verify. A code is read as people type it.
 */
export function codeHashes(keys: KeyPair[], purpose: CodePurpose, bound: string, code: string): Buffer[] {
  const text = JSON.stringify(['code', purpose, bound, typedCode(code)]);
  return keys.map(({ secret }) => createHmac('sha256', secret).update(text).digest());
}
