import { expect, test } from '@jest/globals';
import { createSeal } from '../src/totp/totp.ts';

test('the secret is bound to its administrator and encrypted with the first key', () => {
  const [old, fresh] = ['one', 'two'].map((kid) => ({ kid, secret: kid.repeat(16) })) as [
    { kid: string; secret: string },
    { kid: string; secret: string },
  ];
  const sealed = createSeal([old]).seal(7, 'JBSWY3DP');
  expect(createSeal([fresh, old]).open(7, sealed)).toBe('JBSWY3DP');
  expect(createSeal([fresh, old]).seal(7, 'JBSWY3DP').key_id).toBe('two');
  expect(() => createSeal([old]).open(8, sealed)).toThrow();
  expect(() => createSeal([fresh]).open(7, sealed)).toThrow('TOTP_KEYS has no key one');
});
