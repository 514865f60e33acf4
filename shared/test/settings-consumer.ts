import { afterEach, beforeEach } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { serviceConfig } from '../contract/config.ts';
import { upsertNewerSql } from '../kit/database/copies.ts';
import type { Tx } from '../kit/database/open.ts';
import { rows } from '../kit/database/sql.ts';
import { topology } from '../contract/bus.ts';
import { resync } from '../kit/events/operate/resync.ts';
import { onSnapshots } from '../contract/subscriptions.ts';
import type { Subscription } from '../kit/events/consume/subscription.ts';
import { createLogger } from '../kit/process/logger.ts';
import { defineService } from '../contract/service.ts';
import { startService, type RunningService } from '../kit/service.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { eventually, NATS_TIMEOUT } from '../testing/wait.ts';

const consuming = (subscriptions: Subscription[] = []) =>
  defineService({
    name: 'wallet',
    config: serviceConfig,
    migrations: new URL('../../services/wallet/migrations/', import.meta.url),
    build: () => ({ routes: [], subscriptions }),
  });

export interface Setting {
  name: string;
  version: number;
  id?: string;
}

/** The versions 1 to `last` of a setting. */
export const versions = (name: string, last: number): Setting[] =>
  Array.from({ length: last }, (_none, index) => ({ name, version: index + 1 }));

const SAVE = upsertNewerSql('setting_copy', ['name'], ['name', 'value', 'version']);
export const copies = onSnapshots('setting.changed', (tx, settings) => rows(tx, SAVE, [JSON.stringify(settings)]));

/** Records each effect of a version, in order. */
const WRITE = `insert into idempotency_key (caller, scope, key, fingerprint) values ('consumed', $1, uuidv7()::text, $2)`;
export const write = (tx: Tx, { name, version }: Setting) => rows(tx, WRITE, [name, String(version)]);

const { events, pages } = topology.consumersFor('wallet', ['setting.changed']);
const consumers = [...events, ...pages];

/** Starts for each test a service that consumes nothing itself; tests let replicas of it join. */
export function consumeSettings() {
  let service: TestService;
  let replicas: RunningService[] = [];
  beforeEach(async () => {
    service = await startTestService(consuming());
    for (const consumer of consumers) await service.service.bus.ensureConsumer(consumer);
  });
  afterEach(async () => {
    for (const replica of replicas) await leave(replica);
    await service.stop();
  });

  async function join(subscription: Subscription): Promise<RunningService> {
    const replica = await startService(consuming([subscription]), service.config, createLogger('wallet', 'silent'));
    replicas.push(replica);
    return replica;
  }

  async function leave(replica: RunningService): Promise<void> {
    replicas = replicas.filter((other) => other !== replica);
    await replica.stop();
  }

  async function publishSettings(settings: Setting[]): Promise<void> {
    const { js, subject } = service.service.bus;
    const publish = ({ name, version, id = randomUUID() }: Setting) => {
      const data = { name, value: version, version };
      const message = { id, name: 'setting.changed', data, context: {}, created_at: new Date().toISOString() };
      return js.publish(subject('events.setting.changed'), JSON.stringify(message), NATS_TIMEOUT);
    };
    await Promise.all(settings.map(publish));
  }

  const resyncSettings = (settings: Setting[]): Promise<number> =>
    resync({
      name: 'setting.changed',
      consumer: 'wallet',
      snapshots: {
        'setting.changed': async function* () {
          for (const { name, version } of settings) yield await Promise.resolve({ name, value: version, version });
        },
      },
      manager: service.service.database.manager,
      bus: service.service.bus,
    });

  const infos = () => {
    const { jsm, named } = service.service.bus;
    return Promise.all(consumers.map(({ stream, consumer }) => jsm.consumers.info(named(stream), named(consumer))));
  };
  const effects = async (name: string) =>
    (
      await service.rows<{ version: string }>(
        'select fingerprint as version from idempotency_key where scope = $1 order by key',
        [name],
      )
    ).map(({ version }) => Number(version));
  const consumed = async () => (await service.rows<{ n: number }>('select count(*) as n from inbox'))[0]!.n;

  return {
    service: () => service,
    join,
    leave,
    publishSettings,
    resyncSettings,
    effects,
    consumed,
    /** The consumer of new events. */
    consumer: async () => (await infos())[0]!,
    haveConsumed: (count: number) => eventually(`${count} are consumed`, async () => (await consumed()) === count),
    allIsSettled: () =>
      eventually('nothing is in flight', async () =>
        (await infos()).every(({ num_ack_pending, num_pending }) => num_ack_pending + num_pending === 0),
      ),
    /** Number of transactions that consumed events. */
    transactions: async () =>
      (await service.rows<{ n: number }>('select count(distinct xmin::text) as n from inbox'))[0]!.n,
    failures: () => service.rows('select from dead_letter union all select from event_failure'),
  };
}
