import { inflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { LONGEST_PAID_SECONDS } from '../src/provider/rtc.ts';
import { startScene, type Party, type Scene } from './scene.ts';

/* Prices of video: 150 for the first minute, 50 for each later one. A call rings for 45 seconds. */
const RING = 45;
const GRACE = 60;

/** The lifetime in seconds that is encoded in an Agora AccessToken2. */
function lifeOf(token: string): number {
  const packed = inflateSync(Buffer.from(token.slice('007'.length), 'base64'));
  const signature = 2 + packed.readUInt16LE(0);
  const appId = 2 + packed.readUInt16LE(signature);
  return packed.readUInt32LE(signature + appId + 4);
}

let scene: Scene;
let bound: Scene;
beforeAll(async () => {
  scene = await startScene();
  bound = await startScene({ RTC_UID: 'user' });
});
afterEach(() => scene.service.shiftClock(0));
afterAll(async () => {
  await Promise.all([scene.stop(), bound.stop()]);
});

const token = async (party: Party, identifier: string) => {
  const { body } = await scene.service.api.student(party.student).post('/api/call/token', { identifier });
  return body as { token: string; expires_at: string };
};
const identifierOf = async (party: Party) =>
  (await scene.service.api.student(party.student).get('/api/calls')).body[0].identifier as string;
const wait = (call: { expires_at: string }) => (Date.parse(call.expires_at) - Date.now()) / 1_000;
/** Allows for the seconds that the test itself takes. */
const near = (seconds: number, expected: number) => {
  expect(seconds).toBeLessThanOrEqual(expected + 1);
  expect(seconds).toBeGreaterThan(expected - 20);
};

describe('a token of init is valid for the ring, the paid time and a minute', () => {
  test.each([
    ['with a balance for one minute', 150, 60],
    ['with a balance for ten minutes', 600, 600],
    ['with a balance for more than four hours, of which four count', 1_000_000, LONGEST_PAID_SECONDS],
  ])('%s', async (_name, money, paid) => {
    const party = scene.party(money);
    const { body } = await scene.init(party);
    expect(lifeOf(body.token)).toBe(RING + paid + GRACE);
    near(wait(await token(party, await identifierOf(party))), RING + paid + GRACE);
    expect((await scene.accept(party)).body.token).toBe(body.token);
  });

  test('also for each participant when tokens are bound to users', async () => {
    const party = bound.party(600);
    const rung = await bound.init(party);
    const accepted = await bound.accept(party);
    for (const { body } of [rung, accepted]) near(lifeOf(body.token), RING + 600 + GRACE);
  });
});

describe('a token of call/token', () => {
  test('after accept is valid for the time that the balance pays, without the ring, and changes only with that time', async () => {
    const party = scene.party(600);
    const { identifier } = await scene.begin(party);
    const first = await token(party, identifier);
    near(lifeOf(first.token), 600 + GRACE);
    near(wait(first), 600 + GRACE);
    expect(await token(party, identifier)).toEqual(first);
    scene.wallet.deposit(party.student, 50);
    near(lifeOf((await token(party, identifier)).token), 660 + GRACE);
  });

  test('is kept while wallet is down, when it is valid for longer than a new one', async () => {
    const party = scene.party(100_000);
    const { identifier } = await scene.begin(party);
    const before = await token(party, identifier);
    scene.wallet.setMode('down');
    const meanwhile = await token(party, identifier);
    scene.wallet.setMode('fine');
    expect(meanwhile).toEqual(before);
  });

  test('after a deposit is valid for the time that the new balance pays, including the hold', async () => {
    const party = scene.party(200);
    const { identifier } = await scene.begin(party);
    await scene.bill(party, identifier);
    scene.wallet.deposit(party.student, 1_000);
    const renewed = await token(party, identifier);
    expect(lifeOf(renewed.token)).toBeGreaterThan(22 * 60 - 20 + GRACE);
    near(lifeOf(renewed.token), 22 * 60 + GRACE);
    near(wait(renewed), 22 * 60 + GRACE);
  });

  test('without money for another step is valid to the end of the current minute, plus one minute', async () => {
    const party = scene.party(150);
    const { identifier } = await scene.begin(party);
    await scene.bill(party, identifier);
    await scene.service.asOwner(`update call set rtc_token_expires_at = app_now() where identifier = $1`, [identifier]);
    near(lifeOf((await token(party, identifier)).token), 60 + GRACE);
  });

  test('while wallet is down is valid for the time that is already paid', async () => {
    const party = scene.party(100_000);
    const { identifier } = await scene.begin(party);
    await scene.bill(party, identifier);
    await scene.service.asOwner(`update call set rtc_token_expires_at = app_now() where identifier = $1`, [identifier]);
    scene.wallet.setMode('down');
    const renewed = await token(party, identifier);
    scene.wallet.setMode('fine');
    near(lifeOf(renewed.token), 2 * 60 + GRACE);
  });
});
