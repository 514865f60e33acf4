import { createHmac, randomInt } from 'node:crypto';
import { normalizeCode } from '@tutoring/shared/kit/language/typed-text';
import type { KeyPair } from '@tutoring/shared/kit/process/config';
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

/** The limit per network keeps strangers from locking the owner out; the limit over all stops distributed guessing. */
export const mayTry = ({ lately, today, everywhere }: WrongTries) => lately < 5 && today < 20 && everywhere < 60;

/**
 * HMACs of a code, bound to a purpose and an account; the keys are not in the database. Returns one hash per key: the
 * first is stored, all of them verify. Ignores spaces, hyphens and scripts of digits, as people type codes.
 */
export function codeHashes(keys: KeyPair[], purpose: CodePurpose, bound: string, code: string): Buffer[] {
  const text = JSON.stringify(['code', purpose, bound, normalizeCode(code)]);
  return keys.map(({ secret }) => createHmac('sha256', secret).update(text).digest());
}
