import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { retryWhile503 } from '@tutoring/shared/testing/wait';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;

beforeAll(async () => {
  wallet = await startWallet();
});
afterAll(() => wallet.stop());

describe('POST /internal/holds', () => {
  test('a hold above the available money is a 402 and holds nothing', async () => {
    const { student } = await wallet.pair(100);
    const answer = await wallet.hold(wallet.newCall(), student, 101);
    expect([answer.status, answer.body.code]).toEqual([402, 'payment_required']);
    expect(await wallet.balance(student)).toEqual({ balance: 100, held: 0, available: 100 });
  });

  test('a hold under a reference of another user is a 409', async () => {
    const [one, other] = [await wallet.pair(100), await wallet.pair(100)];
    const id = wallet.newCall();
    await wallet.hold(id, one.student, 50);
    expect((await wallet.hold(id, other.student, 50)).status).toBe(409);
  });

  test('the response says when the hold expires and for how long each charge extends it', async () => {
    const { student } = await wallet.pair(100);
    const { body } = await wallet.hold(wallet.newCall(), student, 40);
    expect(body).toMatchObject({ held: 40, available: 60, hold_seconds: 600 });
    const left = (Date.parse(body.expires_at as string) - Date.now()) / 1_000;
    expect([Math.ceil(left) <= 601, left > 500]).toEqual([true, true]);
  });

  test('one of twelve students who use one reference at the same time gets the hold', async () => {
    const students = await Promise.all(Array.from({ length: 12 }, () => wallet.pair(100)));
    const id = wallet.newCall();
    const answers = await Promise.all(students.map(({ student }) => retryWhile503(() => wallet.hold(id, student, 40))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...students.slice(1).map(() => 409)]);
    const held = await Promise.all(students.map(async ({ student }) => (await wallet.balance(student)).held));
    expect(held.sort()).toEqual([...students.slice(1).map(() => 0), 40]);
  });

  test('20 concurrent requests with one reference make one hold', async () => {
    const { student } = await wallet.pair(100);
    const id = wallet.newCall();
    await Promise.all(Array.from({ length: 20 }, () => wallet.hold(id, student, 40)));
    expect(await wallet.balance(student)).toEqual({ balance: 100, held: 40, available: 60 });
  });

  test('a repeated request does not reopen a released hold', async () => {
    const { student } = await wallet.pair(100);
    const id = wallet.newCall();
    await wallet.hold(id, student, 40);
    await wallet.release(id);
    expect((await wallet.hold(id, student, 40)).body.held).toBe(0);
    expect((await wallet.balance(student)).held).toBe(0);
  });

  test('only services may place holds, and only under the reference of a call', async () => {
    const body = { reference: 'call:x', user_id: 1, amount: 1 };
    expect((await wallet.service.api.admin('su').post('/internal/holds', body)).status).toBe(403);
    const service = wallet.service.api.service('calls');
    expect((await service.post('/internal/holds', { ...body, reference: 'withdrawal:1' })).status).toBe(422);
    expect((await service.post('/internal/holds/release', { reference: 'call:unknown' })).body).toEqual({
      released: 0,
    });
  });
});

describe('a hold that is not extended for 10 minutes', () => {
  test('expires, and the next charge uses available money and reopens it', async () => {
    const { student, teacher } = await wallet.pair(1000);
    const id = wallet.newCall();
    await wallet.hold(id, student, 100);
    await wallet.service.shiftClock(560);
    await wallet.service.runJob('expire-holds');
    expect((await wallet.balance(student)).held).toBe(100);
    await wallet.service.shiftClock(601);
    await wallet.service.runJob('expire-holds');
    expect(await wallet.balance(student)).toEqual({ balance: 1000, held: 0, available: 1000 });
    const charged = await wallet.charge({ call: id, step: 1, student, teacher, amount: 100, next: 50 });
    expect(charged.body).toEqual({ charged: 100, reserved: 50, available: 850 });
    await wallet.service.shiftClock(0);
  });

  test('does not expire if a charge has extended it', async () => {
    const { student, teacher } = await wallet.pair(1000);
    const id = wallet.newCall();
    await wallet.hold(id, student, 100);
    await wallet.service.shiftClock(500);
    await wallet.charge({ call: id, step: 1, student, teacher, amount: 100, next: 100 });
    await wallet.service.shiftClock(1000);
    await wallet.service.runJob('expire-holds');
    expect((await wallet.balance(student)).held).toBe(100);
    await wallet.service.shiftClock(1101);
    await wallet.service.runJob('expire-holds');
    expect((await wallet.balance(student)).held).toBe(0);
    await wallet.service.shiftClock(0);
  });
});
