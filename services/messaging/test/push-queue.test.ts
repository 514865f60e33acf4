import { rows } from '@tutoring/shared/kit/database/sql';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { PUSH_LEASE_SECONDS } from '../src/deadlines.ts';
import type { Push } from '../src/push/push.ts';
import { enqueuePushes } from '../src/push/push-store.ts';
import { call, sameTexts, startMessaging, type Messaging } from './kit.ts';
import { pushProvider } from './push-provider.ts';

const away = () => Promise.reject(new Error('away'));

describe('the push queue', () => {
  const { provider, send, about, sent, tries, tried } = pushProvider();
  let own: Messaging;
  beforeAll(async () => {
    own = await startMessaging({}, send);
    const { uuid, student } = await own.pair(1, 2);
    write = (message) => student.post(`/api/rooms/${uuid}/messages`, { message });
  });
  afterEach(() => own.service.shiftClock(0));
  afterAll(() => own.stop());

  let write: (message: string) => Promise<unknown>;
  const rowsOf = () =>
    own.service.rows<Push & { wait: number }>(
      `select *, round(extract(epoch from next_attempt_at - app_now()))::int as wait from push order by id`,
    );
  const setDevices = (keys: string[], version: number) =>
    own.service.receive('devices.changed', { user_id: 2, device_keys: keys, version });
  /** Changes a notification that waits for its next attempt. Returns the number of its attempts. */
  const whileItWaits = async (body: string, change: string): Promise<number> => {
    const statement = `update push set ${change} where body = $1 and next_attempt_at < app_now() + interval '30 seconds'
      returning old.attempts as tried`;
    const update = async () => (await own.service.rows<{ tried: number }>(statement, [body]))[0];
    return (await eventually('it waits', update)).tried;
  };

  test('a failed delivery is retried later; the other device is not notified twice', async () => {
    await setDevices(['a', 'b'], 1);
    provider.answer = (key) => (key === 'a' ? away() : Promise.resolve('sent'));
    await write('patience');
    await tried('patience', 2);
    const [waiting] = await eventually('the row waits', async () => {
      const left = await rowsOf();
      return left.length === 1 && left[0]!.wait < 30 && left;
    });
    const { device_key, attempts, wait } = waiting!;
    expect(device_key).toBe('a');
    // Five seconds after the first attempt, and up to one more that is random. A busy machine may have made another one.
    expect(wait).toBeLessThanOrEqual(5 * 2 ** (attempts - 1) + 1);
    await own.service.shiftClock(700);
    await tried('patience', attempts + 2);
    provider.answer = async () => 'sent';
    await own.service.shiftClock(1_400);
    await eventually('the queue is empty', async () => (await rowsOf()).length === 0);
    expect(sent(/: patience/).sort()).toEqual(['a', 'b'].map((key) => `${key}: patience (1)`));
    expect(tries('patience').filter((line) => line.startsWith('b'))).toHaveLength(1);
  });

  test('a device for which the provider does not answer does not delay the others', async () => {
    await setDevices(['a', 'b'], 1);
    const unanswered = Promise.withResolvers<'sent'>();
    provider.answer = (key) => (key === 'a' ? unanswered.promise : Promise.resolve('sent'));
    await write('silence');
    await tried('silence', 2);
    provider.answer = async () => 'sent';
    await write('beside it');
    await tried('beside it', 2);
    expect((await rowsOf()).map(({ body, attempts }) => [body, attempts])).toContainEqual(['silence', 1]);
    unanswered.resolve('sent');
    await eventually('the queue is empty', async () => (await rowsOf()).length === 0);
  });

  test('a device reported as gone is never notified again, even while identity still lists it', async () => {
    provider.answer = async (key) => (key === 'a' ? 'gone' : 'sent');
    await write('farewell');
    await tried('farewell', 2);
    await eventually('the key is dead', async () => (await own.service.rows('select 1 from dead_device')).length === 1);
    await setDevices(['a', 'b'], 2);
    await write('after');
    await write('last');
    await tried('after', 1);
    await tried('last', 1);
    expect([...tries('after'), ...tries('last')].map((line) => line.slice(0, 2))).toEqual(['b:', 'b:']);
  });

  test.each([
    ['a room', false],
    ['the support room', true],
  ])('a notification waiting for its retry is deleted once its message in %s is read', async (_name, isSupport) => {
    const [key, reader, version] = isSupport ? ['s', 4, 1] : ['r', 3, 1];
    const { uuid, student: sender, teacher } = await own.pair(isSupport ? 6 : 5, reader);
    await own.service.receive('devices.changed', { user_id: reader, device_keys: [key], version });
    const staff = own.service.api.admin();
    await teacher.get('/api/support/messages');
    const [{ uuid: support }] = (await staff.get(`/api/admin/rooms?user_id=${reader}`)).body;
    const say = (message: string) =>
      isSupport
        ? staff.post(`/api/admin/rooms/${support}/messages`, { message })
        : sender.post(`/api/rooms/${uuid}/messages`, { message });
    const path = isSupport ? '/api/support/messages' : `/api/rooms/${uuid}/messages`;
    provider.answer = away;
    const first = await say(`${key}-read`);
    const second = await say(`${key}-unread`);
    await tried(`${key}-read`, 1);
    await tried(`${key}-unread`, 1);
    await eventually('both are queued', async () => (await rowsOf()).filter(({ wait }) => wait < 30).length === 2);
    await teacher.get(`${path}?before=${second.body.id}`);
    provider.answer = async () => 'sent';
    await own.service.shiftClock(20);
    await tried(`${key}-unread`, 2);
    await eventually('the queue is empty', async () => (await rowsOf()).length === 0);
    expect(sent(/-read/)).toEqual([]);
    expect(first.body.id).toBeLessThan(second.body.id);
  });

  test('the notifications that a crashed process had claimed are sent when its lease ends', async () => {
    provider.answer = async () => 'sent';
    const { database } = own.service.service;
    const notification = { kind: 'message' as const, texts: sameTexts('T', 'orphan'), data: {}, lifetime: 3_600 };
    await database.transact(async (tx) => {
      await enqueuePushes(tx, [{ userId: 2, notification }]);
      const claim = 'update push set attempts = 1, next_attempt_at = app_now() + make_interval(secs => $1)';
      await rows(tx, `${claim} where body = 'orphan'`, [PUSH_LEASE_SECONDS]);
    });
    await write('meanwhile');
    await tried('meanwhile', 1);
    expect(tries('orphan')).toEqual([]);
    await own.service.shiftClock(61);
    await tried('orphan', 1);
  });

  test('a notification is dropped after the tenth attempt, or when it has expired', async () => {
    provider.answer = away;
    await write('hopeless');
    await tried('hopeless', 1);
    const before = await whileItWaits('hopeless', 'attempts = 9, next_attempt_at = app_now()');
    await eventually('the notification is dropped', async () => (await rowsOf()).length === 0);
    expect(tries('hopeless')).toHaveLength(before + 1);
    await write('late');
    await tried('late', 1);
    const made = await whileItWaits('late', `next_attempt_at = app_now() + interval '1 hour'`);
    await own.service.shiftClock(86_401);
    await eventually('the notification is dropped', async () => (await rowsOf()).length === 0);
    expect(tries('late')).toHaveLength(made);
  });

  test('queued notifications are deleted when the user logs out of the device, also when somebody else logs in there', async () => {
    await setDevices(['lent'], 3);
    provider.answer = away;
    await write('for the first alone');
    await tried('for the first alone', 1);
    await setDevices([], 4);
    await own.service.receive('devices.changed', { user_id: 1, device_keys: ['lent'], version: 1 });
    provider.answer = async () => 'sent';
    await own.service.shiftClock(6);
    await eventually('the queue is empty', async () => (await rowsOf()).length === 0);
    expect(sent(/for the first alone/)).toEqual([]);
    await own.service.receive('devices.changed', { user_id: 1, device_keys: [], version: 2 });
    await setDevices(['a', 'b'], 5);
  });

  type Turn = 'requested' | 'rescheduled' | 'confirmed' | 'canceled' | 'reminder';
  const announce = (booking_id: number, turn: Turn, more: object = {}) =>
    own.service.receive('booking.announced', {
      booking_id,
      turn,
      to: [{ user_id: 2, from: 'Sam' }],
      starts_at: '2031-05-01T09:00:00.000000Z',
      time_zone: 'Africa/Lome',
      ...more,
    });

  test('a later notification about a booking replaces an earlier one that could not be sent yet', async () => {
    await setDevices(['b'], 6);
    provider.answer = away;
    await announce(5, 'confirmed');
    await eventually('an attempt was made', () => about(/is confirmed/).length > 0);
    await announce(5, 'canceled');
    provider.answer = async () => 'sent';
    await own.service.shiftClock(15);
    await eventually('the queue is empty', async () => (await rowsOf()).length === 0);
    expect(sent(/is confirmed/)).toEqual([]);
  });

  test('one person causes ten lesson notifications an hour for another; further ones wait until the hour ends', async () => {
    await setDevices(['b'], 8);
    provider.answer = async () => 'sent';
    const by = (booking_id: number, turn: Turn, more: object = {}) =>
      announce(booking_id, turn, { by_user_id: 77, to: [{ user_id: 2, from: 'Flood' }], ...more });
    const notified = () => about(/^Flood|lesson on|move the lesson/).length;
    const before = notified();
    for (let id = 1_000; id < 1_005; id += 1) {
      await by(id, 'requested');
      await eventually('the notification was sent', async () => (await rowsOf()).length === 0);
      await by(id, 'canceled');
      await eventually('the notification was sent', async () => (await rowsOf()).length === 0);
    }
    expect(notified() - before).toBe(10);
    for (let id = 1_005; id < 1_100; id += 1) {
      await by(id, 'requested');
      await by(id, 'canceled');
    }
    await by(1_100, 'requested');
    await by(1_100, 'rescheduled', { starts_at: '2031-05-02T10:00:00.000000Z' });
    // The limit of one person does not delay notifications that another person causes.
    await by(1_101, 'requested', { by_user_id: 78 });
    await eventually('one notification waits', async () => (await rowsOf()).length === 1);
    expect(notified() - before).toBe(11);
    await own.service.shiftClock(3_700);
    await eventually('the queue is empty', async () => (await rowsOf()).length === 0);
    expect(about(/Asks for a lesson on Friday 2 May/)).toHaveLength(1);
    expect(notified() - before).toBe(12);
    await setDevices(['a', 'b'], 9);
  });

  test('a reminder of a lesson that has begun is not sent; a long reason is cut', async () => {
    await announce(7, 'reminder', { minutes: 10, starts_at: '2020-05-01T09:00:00.000000Z' });
    await announce(8, 'canceled', { reason: 'あ'.repeat(2_000) });
    await eventually('the queue is empty', async () => (await rowsOf()).length === 0);
    expect(about(/begins in/)).toEqual([]);
    expect(about(/あ/).map((line) => line.length < 300)).toEqual([true]);
    await setDevices(['a', 'b'], 7);
  });

  test('the notification of a ring that is over is not retried; the end of the ring is sent instead', async () => {
    provider.answer = away;
    await own.service.receive('call.changed', call(1, 2));
    await tried('Incoming video call', 1);
    await whileItWaits('Incoming video call', `next_attempt_at = app_now() + interval '20 seconds'`);
    await own.service.receive('call.changed', call(1, 2, { state: 'active', version: 2 }));
    provider.answer = async () => 'sent';
    expect(tries('The call was accepted')).toEqual([]);
    await own.service.shiftClock(21);
    await tried('The call was accepted', 1);
    await eventually('the queue is empty', async () => (await rowsOf()).length === 0);
    expect(sent(/Incoming video call/)).toEqual([]);
  });

  test('the end of a ring waits for the notification of the ring that is being sent', async () => {
    const announced = Promise.withResolvers<'sent'>();
    provider.answer = () => announced.promise;
    await own.service.receive('call.changed', call(1, 2, { identifier: 'slow', call_type: 'audio' }));
    await tried('Incoming audio call', 1);
    await own.service.receive('call.changed', call(1, 2, { identifier: 'slow', state: 'canceled', version: 2 }));
    await eventually('both notifications are queued', async () => (await rowsOf()).length === 2);
    provider.answer = async () => 'sent';
    expect(tries('The call was canceled')).toEqual([]);
    announced.resolve('sent');
    await tried('The call was canceled', 1);
    await eventually('the queue is empty', async () => (await rowsOf()).length === 0);
  });

  test('a call that stops ringing before its notification is sent is not notified at all', async () => {
    const notification = {
      kind: 'incoming_call' as const,
      texts: sameTexts('T', 'unheard'),
      data: { identifier: 'quiet' },
      lifetime: 40,
    };
    const { database } = own.service.service;
    await own.service.receive(
      'call.changed',
      call(1, 2, { identifier: 'quiet', ring_expires_at: new Date(0).toISOString() }),
    );
    await database.transact(async (tx) => {
      await enqueuePushes(tx, [{ userId: 2, notification }]);
      await rows(tx, `update push set next_attempt_at = app_now() + interval '1 hour' where body = 'unheard'`);
    });
    await own.service.receive('call.changed', call(1, 2, { identifier: 'quiet', state: 'rejected', version: 2 }));
    await tried('The call was rejected', 1);
    expect(tries('unheard')).toEqual([]);
    await eventually('the queue is empty', async () => (await rowsOf()).length === 0);
  });

  test.each([
    [1, 5],
    [2, 10],
    [7, 320],
    [8, 600],
    [9, 600],
  ])('after failed attempt %i the next one follows after %i s', async (attempt, seconds) => {
    provider.answer = away;
    await write(`attempt ${attempt}`);
    await eventually('the first attempt has failed', async () => (await rowsOf()).some(({ wait }) => wait < 30));
    const start = performance.now();
    await own.service.rows('update push set attempts = $1, next_attempt_at = app_now()', [attempt - 1]);
    await eventually('the next attempt is scheduled', async () => {
      // A part of the wait may have passed, or all of it: then the wait is that of a later attempt.
      const passed = (performance.now() - start) / 1_000;
      const [push] = (await rowsOf()).filter(({ attempts }) => attempts >= attempt);
      const whole = push && Math.min(seconds * 2 ** (push.attempts - attempt), 600);
      return whole !== undefined && push!.wait <= whole + 1 && push!.wait >= whole - 1 - passed;
    });
    await own.service.rows('delete from push');
  });
});
