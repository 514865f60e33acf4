import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseConfig, streamConfig } from '@tutoring/shared/kit/process/config';
import { connectBus } from '@tutoring/shared/contract/bus';
import type { Bus } from '@tutoring/shared/kit/events/bus';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { infra } from '@tutoring/shared/testing/infra';
import { newPrefix } from '@tutoring/shared/testing/service';
import { parse, parseAllDocuments } from 'yaml';
import { text } from './processes.ts';

/*
 * In production an operator creates the streams (deploy/kubernetes/operators/nats-streams.yaml), with more replicas.
 * Everything else must be the same as when the services create them.
 */

interface Stream {
  name: string;
  subjects: string[];
  storage: string;
  replicas: number;
  maxAge: string;
  maxBytes: number;
  republish?: { source: string; destination: string };
  sources?: { name: string; filterSubject: string }[];
  duplicateWindow: string;
  discard: string;
  allowDirect: boolean;
  denyDelete: boolean;
  denyPurge: boolean;
}

const NANOSECONDS: Record<string, number> = { h: 3_600_000_000_000, m: 60_000_000_000 };
const nanoseconds = (duration: string) => parseInt(duration) * (NANOSECONDS[duration.at(-1)!] ?? Number.NaN);

const declared = parseAllDocuments(await text('deploy/kubernetes/operators/nats-streams.yaml')).map(
  (document) => (document.toJS() as { spec: Stream }).spec,
);
const prefix = newPrefix();
const limits = parseConfig(streamConfig, {});
let bus: Bus;

beforeAll(async () => {
  const logger = createLogger('test', 'error');
  bus = await connectBus({ url: infra().natsUrl, prefix, name: 'test', limits, logger });
  await bus.ensureStreams();
});
afterAll(async () => {
  for (const { name } of declared) await bus.jsm.streams.delete(name.replace('tutoring', prefix));
  await bus.close();
});

test.each(declared.map((stream) => [stream.name, stream] as const))(
  '%s is the same as when the services create it',
  async (name, stream) => {
    const { config } = await bus.jsm.streams.info(name.replace('tutoring', prefix));
    expect({
      subjects: stream.subjects.map((subject) => subject.replace('tutoring', prefix)),
      storage: stream.storage,
      max_age: nanoseconds(stream.maxAge),
      max_bytes: stream.maxBytes,
      republish: stream.republish && {
        src: stream.republish.source.replace('tutoring', prefix),
        dest: stream.republish.destination.replace('tutoring', prefix),
      },
      sources: stream.sources?.map(({ name: source, filterSubject }) => ({
        name: source.replace('tutoring', prefix),
        filter_subject: filterSubject.replace('tutoring', prefix),
      })),
      duplicate_window: nanoseconds(stream.duplicateWindow),
      discard: stream.discard,
      allow_direct: stream.allowDirect,
      deny_delete: stream.denyDelete,
      deny_purge: stream.denyPurge,
    }).toEqual({
      subjects: config.subjects,
      storage: config.storage,
      max_age: config.max_age,
      max_bytes: config.max_bytes,
      republish: config.republish,
      sources: config.sources,
      duplicate_window: config.duplicate_window,
      discard: config.discard,
      allow_direct: config.allow_direct,
      deny_delete: config.deny_delete,
      deny_purge: config.deny_purge,
    });
    expect(stream.replicas).toBe(3);
  },
);

test('all streams together fit the storage limit of NATS, and the limit fits its disk', async () => {
  const { config } = parse(await text('deploy/kubernetes/operators/nats-values.yaml')) as {
    config: { jetstream: { fileStore: { pvc: { size: string }; maxSize: string } } };
  };
  const { pvc, maxSize } = config.jetstream.fileStore;
  const gibibytes = (size: string) => parseInt(size) * 2 ** 30;
  const streams = declared.reduce((sum, { maxBytes }) => sum + maxBytes, 0);
  expect(streams).toBeLessThanOrEqual(0.9 * gibibytes(maxSize));
  expect(gibibytes(maxSize)).toBeLessThanOrEqual(0.9 * gibibytes(pvc.size));
});

test('the operator declares every stream of the services', async () => {
  const made: string[] = [];
  for await (const { config } of bus.jsm.streams.list(`${prefix}.>`))
    made.push(config.name.replace(prefix, 'tutoring'));
  expect(made.sort()).toEqual(declared.map(({ name }) => name).sort());
});
