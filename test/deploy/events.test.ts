import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { catalogue, CONSUMES, type EventData, type EventName } from '@tutoring/shared/contract/events';
import { SERVICES, type ServiceName } from '@tutoring/shared/contract/names';
import { startTestService, type ServiceOptions } from '@tutoring/shared/testing/service';
import { z } from 'zod';
import { calls } from '../../services/calls/src/app.ts';
import { identity } from '../../services/identity/src/app.ts';
import { messaging } from '../../services/messaging/src/app.ts';
import { wallet } from '../../services/wallet/src/app.ts';
import { releasedMessages } from './released-messages.ts';
import { incompatibilities, type Schema } from './schema-compatibility.ts';

/*
 * A deployment replaces one service at a time, and events stay in outboxes and the stream for days: this release must
 * accept events of the previous one, and vice versa. `released-messages.json` holds the previous release's events and schemas.
 */

const NAMES = Object.keys(catalogue) as EventName[];
const { events: previous } = await releasedMessages();
/** The fields of an event with a list of values. */
const listsOf = (name: EventName) => {
  const { properties = {} } = z.toJSONSchema(catalogue[name].schema) as Schema;
  return Object.keys(properties).filter((field) =>
    [properties[field]!, ...(properties[field]!.anyOf ?? [])].some(({ enum: values }) => values !== undefined),
  );
};
const samplesOf = (name: EventName) => previous[name]?.samples ?? [];

test('every event has samples, and there are no samples of unknown events', () => {
  expect(Object.keys(previous).sort()).toEqual([...NAMES].sort());
  expect(NAMES.filter((name) => samplesOf(name).length === 0)).toEqual([]);
});

describe.each(NAMES)('%s', (name) => {
  const { schema } = catalogue[name];

  test('still accepts the events of the previous release', () => {
    for (const sample of samplesOf(name)) expect(schema.parse(sample)).toEqual(sample);
  });

  test('has a schema that is compatible with consumers of the previous release', () => {
    expect(incompatibilities(z.toJSONSchema(schema) as Schema, previous[name]!.schema)).toEqual([]);
  });
});

describe('compatibility of schemas', () => {
  const before: Schema = {
    properties: { id: { type: 'integer' }, state: { type: 'string', enum: ['a', 'b'] }, note: { type: 'string' } },
    required: ['id', 'state'],
  };
  test.each<[string, Schema, string[]]>([
    ['no change', before, []],
    ['a new optional field', { ...before, properties: { ...before.properties, more: { type: 'string' } } }, []],
    [
      'a wider field',
      { ...before, properties: { ...before.properties, state: { type: 'string', enum: ['a', 'b', 'c'] } } },
      [],
    ],
    [
      'a field that becomes nullable',
      { ...before, properties: { ...before.properties, id: { anyOf: [{ type: 'integer' }, { type: 'null' }] } } },
      [],
    ],
    [
      'a nullable field in another notation',
      { ...before, properties: { ...before.properties, id: { type: ['integer', 'null'] } } },
      [],
    ],
    [
      'a new required field',
      { properties: { ...before.properties, more: { type: 'string' } }, required: ['id', 'state', 'more'] },
      ['more is new and not optional'],
    ],
    [
      'a removed field',
      { properties: { id: { type: 'integer' }, state: before.properties!['state']! }, required: ['id', 'state'] },
      ['note was removed'],
    ],
    [
      'a field that became optional',
      { ...before, required: ['id'] },
      ['state became optional, and the previous release needs it'],
    ],
    [
      'a narrower field',
      { ...before, properties: { ...before.properties, state: { type: 'string', enum: ['a'] } } },
      ['state refuses what the previous release writes'],
    ],
    [
      'another type',
      { ...before, properties: { ...before.properties, id: { type: 'string' } } },
      ['id refuses what the previous release writes'],
    ],
    [
      'a lower limit and another pattern of a text',
      { ...before, properties: { ...before.properties, note: { type: 'string', maxLength: 10, pattern: '^a' } } },
      ['note refuses what the previous release writes'],
    ],
  ])('the problems of %s are found', (_change, present, problems) => {
    expect(incompatibilities(present, before)).toEqual(problems);
  });

  test('is checked inside objects, lists and unions', () => {
    const within = (inner: Schema): Schema => ({
      properties: {
        deep: inner,
        list: { type: 'array', items: inner },
        choice: { oneOf: [inner, { type: 'null' }] },
      },
    });
    const object: Schema = { ...before, type: 'object' };
    expect(incompatibilities(within(object), within(object))).toEqual([]);
    expect(incompatibilities(within({ ...object, properties: {} }), within(object))).toEqual([
      'deep.id was removed',
      'deep.state was removed',
      'deep.note was removed',
      'list refuses what the previous release writes',
      'choice refuses what the previous release writes',
    ]);
  });
});

describe('consumers accept the samples of the previous release', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'samples-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const start = (name: ServiceName, options: Pick<ServiceOptions, 'jobless'> = {}) => {
    const MAILBOX_FILE = join(folder, `${name}.jsonl`);
    // The room uuids in the samples are derived from this value.
    const ROOM_NAMESPACE = '5f0c6f0e-27c5-4a6e-9d5c-0f5bb8a2d1aa';
    switch (name) {
      case 'identity':
        return startTestService(identity, { env: { MAILBOX_FILE, CODE_KEYS: 'k1:0123456789abcdef0123456789abcdef' } });
      case 'wallet':
        return startTestService(wallet, { env: { SANDBOX_WEBHOOK_SECRET: 'a secret of sixteen characters' } });
      case 'messaging':
        return startTestService(messaging, { ...options, env: { MAILBOX_FILE, ROOM_NAMESPACE } });
      case 'calls':
        return startTestService(calls, {
          env: {
            ROOM_NAMESPACE,
            CALENDAR_KEYS: 'k1:0123456789abcdef0123456789abcdef',
            AGORA_APP_ID: 'a1b2c3d4'.repeat(4),
            AGORA_APP_CERTIFICATE: 'd4c3b2a1'.repeat(4),
          },
        });
    }
  };

  test.each(SERVICES)('%s consumes its samples without dead letters', async (name) => {
    const service = await start(name);
    try {
      const consumed = new Set((service.service.parts.subscriptions ?? []).map((subscription) => subscription.name));
      expect(consumed.size).toBeGreaterThan(0);
      for (const event of NAMES.filter((candidate) => consumed.has(candidate)))
        for (const sample of samplesOf(event)) await service.receive(event, sample as EventData<typeof event>);
      expect(await service.rows('select name, error from dead_letter')).toEqual([]);
    } finally {
      await service.stop();
    }
  });

  test('a call of a type that only a newer release knows rings, and an announcement of a new kind is skipped', async () => {
    // No job sends and removes the notification before it is read.
    const service = await start('messaging', { jobless: true });
    try {
      const call = samplesOf('call.changed')[0] as EventData<'call.changed'>;
      const announced = samplesOf('booking.announced')[0] as EventData<'booking.announced'>;
      const user_id = call.teacher_id;
      for (const user of samplesOf('user.changed'))
        await service.receive('user.changed', user as EventData<'user.changed'>);
      await service.receive('devices.changed', { user_id, device_keys: ['d1'], version: 1 });
      await service.receiveNewer('booking.announced', { ...announced, turn: 'newer', to: [{ user_id, from: 'A' }] });
      const ring_expires_at = new Date(Date.now() + 60_000).toISOString();
      const ringing = { ...call, identifier: 'newer', state: 'ringing', accepted_at: null, ended_at: null };
      await service.receiveNewer('call.changed', { ...ringing, call_type: 'newer', ring_expires_at });
      expect(await service.rows('select kind, body from push')).toEqual([
        { kind: 'incoming_call', body: 'Incoming call' },
      ]);
      const metrics = await service.service.metrics.registry.metrics();
      expect(metrics).toMatch(/events_consumed_total\{.*event="booking.announced",outcome="skipped".*\} 1/);
    } finally {
      await service.stop();
    }
  });

  test.each(SERVICES)('%s has no dead letter when a newer release adds a value to a list', async (name) => {
    const service = await start(name);
    try {
      for (const event of CONSUMES[name])
        for (const field of listsOf(event))
          for (const sample of samplesOf(event))
            await service.receiveNewer(event, { ...(sample as object), [field]: 'newer' });
      expect(await service.rows('select name, error from dead_letter')).toEqual([]);
      expect(await service.rows('select event_id from event_failure')).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});
