import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectBus, type Bus } from '@tutoring/shared/events/bus';
import { createLogger } from '@tutoring/shared/logger';
import { infra } from '@tutoring/shared/testing/infra';
import { newPrefix } from '@tutoring/shared/testing/service';
import { parseAllDocuments } from 'yaml';
import { text } from './processes.ts';

/*
 * Production's streams are made by an operator (deploy/kubernetes/operators/nats-streams.yaml), with more replicas; all
 * else must be as the services would make them.
 */

interface Stream {
  name: string;
  subjects: string[];
  storage: string;
  replicas: number;
  maxAge: string;
  duplicateWindow: string;
  discard: string;
  allowDirect: boolean;
}

const NANOSECONDS: Record<string, number> = { h: 3_600_000_000_000, m: 60_000_000_000 };
const nanoseconds = (duration: string) => parseInt(duration) * (NANOSECONDS[duration.at(-1)!] ?? Number.NaN);

const declared = parseAllDocuments(await text('deploy/kubernetes/operators/nats-streams.yaml')).map(
  (document) => (document.toJS() as { spec: Stream }).spec,
);
const prefix = newPrefix();
let bus: Bus;

beforeAll(async () => {
  bus = await connectBus({ url: infra().natsUrl, prefix, name: 'test', logger: createLogger('test', 'silent') });
  await bus.ensureStreams();
});
afterAll(async () => {
  for (const { name } of declared) await bus.jsm.streams.delete(name.replace('tutoring', prefix));
  await bus.close();
});

test.each(declared.map((stream) => [stream.name, stream] as const))(
  '%s is as services make it',
  async (name, stream) => {
    const { config } = await bus.jsm.streams.info(name.replace('tutoring', prefix));
    expect({
      subjects: stream.subjects.map((subject) => subject.replace('tutoring', prefix)),
      storage: stream.storage,
      max_age: nanoseconds(stream.maxAge),
      duplicate_window: nanoseconds(stream.duplicateWindow),
      discard: stream.discard,
      allow_direct: stream.allowDirect,
    }).toEqual({
      subjects: config.subjects,
      storage: config.storage,
      max_age: config.max_age,
      duplicate_window: config.duplicate_window,
      discard: config.discard,
      allow_direct: config.allow_direct,
    });
    expect(stream.replicas).toBe(3);
  },
);

test('no stream of the services is missing', async () => {
  const made: string[] = [];
  for await (const { config } of bus.jsm.streams.list(`${prefix}.>`))
    made.push(config.name.replace(prefix, 'tutoring'));
  expect(made.sort()).toEqual(declared.map(({ name }) => name).sort());
});
