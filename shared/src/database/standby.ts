import { setTimeout as delay } from 'node:timers/promises';
import { timeout, TimeoutStrategy } from 'cockatiel';
import type { ServiceConfig } from '../process/config.ts';
import { createOutage, type Logger } from '../process/logger.ts';
import type { Metrics } from '../process/metrics.ts';
import type { ServiceName } from '../process/names.ts';
import { openDatabase, type Database, type ReadOnly } from './open.ts';
import { value } from './sql.ts';

/** Connections to the standby, for what administrators read. */
const POOL = 4;
/** How long a question waits at most until the standby has what was committed before it. */
const CATCH_UP_MS = 1_000;
const LOOK_EVERY_MS = 10;
/** How long the primary alone is asked after the standby was behind or away. */
const REST_MS = 5_000;

/** The same in a primary and its physical standbys alone. */
const IDENTITY = `
  select (select system_identifier from pg_control_system())::text || '/' || oid as id
  from pg_database where datname = current_database()`;
const WRITTEN = 'select pg_current_wal_lsn()::text as upto';
const REPLAYED = 'select coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as replayed';

/**
 * `primary`, with reads by its streaming standby where there is one. They are never older than the question: the standby
 * is asked when it has replayed all that the primary had written before. When it is behind for longer than a second, is
 * away or fails, the primary answers, and so for the next five seconds.
 */
export function withStandby(
  primary: Database,
  name: ServiceName,
  { config, logger, metrics }: { config: ServiceConfig; logger: Logger; metrics: Metrics },
): Database {
  const { DATABASE_READ_URL: url, DATABASE_POOLER: pooler } = config;
  if (url === undefined) return primary;
  const outage = createOutage(logger, { server: 'The standby', meanwhile: 'the primary is read' });
  const options = { url, name, pooler, logger, pool: POOL, outage };
  const limit = timeout(CATCH_UP_MS, TimeoutStrategy.Aggressive);
  let opened: Promise<Database> | undefined;
  let restsUntil = 0;
  let isAsked = false;

  async function open(): Promise<Database> {
    const standby = await openDatabase(options);
    const [own, other] = await Promise.all([primary, standby].map(({ manager }) => value<string>(manager, IDENTITY)));
    if (own === other) return standby;
    await standby.close();
    throw new Error('DATABASE_READ_URL is not a standby of DATABASE_URL');
  }

  function connection(): Promise<Database> {
    if (opened) return opened;
    opened = open();
    opened.catch(() => (opened = undefined));
    return opened;
  }

  async function caughtUp(signal: AbortSignal): Promise<Database> {
    const [standby, written] = await Promise.all([connection(), value<string>(primary.manager, WRITTEN)]);
    while (!signal.aborted && !(await value<boolean>(standby.manager, REPLAYED, [written]))) await delay(LOOK_EVERY_MS);
    return standby;
  }

  /** The answer of the standby; that of the primary when there is none. `ask` only reads, so it may be asked twice. */
  async function read<T>(ask: (from: ReadOnly) => Promise<T>): Promise<T> {
    if (performance.now() >= restsUntil)
      try {
        const answer = await ask(await limit.execute(({ signal }) => caughtUp(signal)));
        outage.recovered();
        isAsked = true;
        return answer;
      } catch (error) {
        outage.failed(error);
        restsUntil = performance.now() + REST_MS;
        isAsked = false;
        // They may lead to what has become the primary: the next ones go where the address leads then.
        opened?.then(
          (standby) => standby.dropIdle(),
          () => undefined,
        );
      }
    return ask(primary);
  }

  const close = async () => (await opened?.catch(() => undefined))?.close();

  metrics.watch('database_standby_asked', 'Whether the standby answers: 0 while the primary does', () =>
    Number(isAsked),
  );
  return {
    ...primary,
    standby: {
      manager: { send: (statement) => read(({ manager }) => manager.send(statement)) },
      transact: (work, limits) => read((from) => from.transact(work, limits)),
    },
    close: () => close().finally(primary.close),
  };
}
