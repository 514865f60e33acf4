import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mayTry } from '../src/codes/code.ts';
import { startIdentity, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.end());

const STRANGER = '198.51.100.7';
const OWNER = '203.0.113.9';

const post = (path: string, body: object, address: string) =>
  service.api.anonymous.post(`/api/auth/${path}`, body, { 'x-client-address': address });

/** A user with a reset code, and a function that tries a code and returns the status. */
async function withResetCode() {
  const { email } = await service.user();
  await post('reset-password-send-code', { email }, OWNER);
  const code = await service.codeTo(email, 2);
  const wrong = code === '000000' ? '000001' : '000000';
  const attempt = async (given: string, address = OWNER) =>
    (await post('reset-password-verify-code', { email, code: given }, address)).status;
  return { email, code, wrong, attempt };
}

const counted = (subject: string) =>
  service.rows('select network, tries, day_tries from code_try where subject = $1 order by network', [subject]);

test('wrong tries are limited to 5 in ten minutes and 20 a day per network, and 60 a day over all networks', () => {
  const none = { lately: 0, today: 0, everywhere: 0 };
  const table: [Partial<typeof none>, boolean][] = [
    [{}, true],
    [{ lately: 4, today: 19, everywhere: 59 }, true],
    [{ lately: 5 }, false],
    [{ today: 20 }, false],
    [{ everywhere: 60 }, false],
  ];
  for (const [tries, expected] of table) expect([tries, mayTry({ ...none, ...tries })]).toEqual([tries, expected]);
});

describe('wrong tries', () => {
  test("wrong tries of a stranger lock out the stranger's network only", async () => {
    const { email, code, wrong, attempt } = await withResetCode();
    for (let n = 0; n < 7; n += 1) expect(await attempt(wrong, STRANGER)).toBe(404);
    expect(await counted(email)).toEqual([
      { network: '', tries: 5, day_tries: 5 },
      { network: '198.51.100.0/24', tries: 5, day_tries: 5 },
    ]);
    expect(await attempt(code, '198.51.100.200')).toBe(404);
    expect(await attempt(code)).toBe(200);
  });

  test('exactly five of many parallel wrong tries are admitted', async () => {
    const { email, code, wrong, attempt } = await withResetCode();
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt(wrong)));
    expect(answers).toEqual(Array.from({ length: 20 }, () => 404));
    expect((await counted(email))[1]).toEqual({ network: '203.0.113.0/24', tries: 5, day_tries: 5 });
    expect(await attempt(code)).toBe(404);
  });

  test('a right code removes the wrong tries of its network only', async () => {
    const { email, code, wrong, attempt } = await withResetCode();
    for (let n = 0; n < 4; n += 1) await attempt(wrong);
    await attempt(wrong, STRANGER);
    expect(await attempt(code)).toBe(200);
    expect(await counted(email)).toEqual([
      { network: '', tries: 5, day_tries: 5 },
      { network: '198.51.100.0/24', tries: 1, day_tries: 1 },
    ]);
  });

  test('wrong tries are limited to 20 a day from one network and 60 from all', async () => {
    const { email, wrong, attempt } = await withResetCode();
    let sent = 2;
    const next = async (seconds: number) => {
      await service.shiftClock(seconds);
      await post('reset-password-send-code', { email }, OWNER);
      return service.codeTo(email, (sent += 1));
    };
    try {
      for (let n = 0; n < 5; n += 1) await attempt(wrong, STRANGER);
      for (let round = 1; round <= 3; round += 1) {
        await next(round * 601);
        for (let n = 0; n < 5; n += 1) await attempt('000000x', STRANGER);
      }
      const code = await next(4 * 601);
      expect(await attempt(code, STRANGER)).toBe(404);
      for (let n = 0; n < 40; n += 1) await attempt('000000x', `198.51.${n >> 2}.7`);
      expect((await counted(email))[0]).toMatchObject({ network: '', day_tries: 60 });
      expect(await attempt(code)).toBe(404);
      const newCode = await next(86_500);
      expect(await attempt(newCode)).toBe(200);
    } finally {
      await service.shiftClock(0);
    }
  });

  test('wrong tries count only while there is a code', async () => {
    const { email } = await service.user();
    for (let n = 0; n < 6; n += 1)
      expect((await post('reset-password-verify-code', { email, code: '000000' }, OWNER)).status).toBe(404);
    await post('reset-password-send-code', { email }, OWNER);
    const code = await service.codeTo(email, 2);
    expect((await post('reset-password-verify-code', { email, code }, OWNER)).status).toBe(200);
  });
});
