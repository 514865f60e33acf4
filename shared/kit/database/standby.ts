import { setTimeout as delay } from 'node:timers/promises';
import { timeout, TimeoutStrategy } from 'cockatiel';
import type { ServiceConfig } from '../process/config.ts';
import { createOutage, type Logger } from '../process/logger.ts';
import type { Metrics } from '../process/metrics.ts';
import { openDatabase, type Database, type ReadOnly } from './open.ts';
import { value } from './sql.ts';

/** Connections to the standby, which only administrators' reads use. */
const POOL = 4;
/** How long a read waits for the standby to replay earlier commits. */
const CATCH_UP_MS = 1_000;
const POLL_MS = 10;
/** How long only the primary is read after the standby failed or was too far behind. */
const FALLBACK_MS = 5_000;

/** Equal on a primary and its physical standbys only. */
const IDENTITY = `
  select (select system_identifier from pg_control_system())::text || '/' || oid as id
  from pg_database where datname = current_database()`;
const WRITTEN = 'select pg_current_wal_lsn()::text as upto';
const REPLAYED = 'select coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as replayed';

/**
 * Adds reads from a streaming standby, if one is configured. A read sees everything that was committed before it: it
 * waits until the standby has replayed the primary's current WAL position. If that takes more than a second, or the
 * standby fails, the primary is read, also for the next five seconds.
 */
export function withStandby(
  primary: Database,
  name: string,
  { config, logger, metrics }: { config: ServiceConfig; logger: Logger; metrics: Metrics },
): Database {
  const { DATABASE_READ_URL: url, DATABASE_POOLER: pooler } = config;
  if (url === undefined) return primary;
  const outage = createOutage(logger, { server: 'The standby', meanwhile: 'reads go to the primary' });
  const options = { url, name, pooler, logger, pool: POOL, outage };
  const limit = timeout(CATCH_UP_MS, TimeoutStrategy.Aggressive);
  let opened: Promise<Database> | undefined;
  let fallbackUntil = 0;
  let isStandbyUsed = false;

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
    while (!signal.aborted && !(await value<boolean>(standby.manager, REPLAYED, [written]))) await delay(POLL_MS);
    return standby;
  }

  /** Reads from the standby, or else from the primary. `ask` may be called twice. */
  async function read<T>(ask: (from: ReadOnly) => Promise<T>): Promise<T> {
    if (performance.now() >= fallbackUntil)
      try {
        const answer = await ask(await limit.execute(({ signal }) => caughtUp(signal)));
        outage.recovered();
        isStandbyUsed = true;
        return answer;
      } catch (error) {
        outage.failed(error);
        fallbackUntil = performance.now() + FALLBACK_MS;
        isStandbyUsed = false;
        // After a failover the open connections may lead to the new primary: reconnect by the address.
        opened?.then(
          (standby) => standby.dropIdle(),
          () => undefined,
        );
      }
    return ask(primary);
  }

  const close = async () => (await opened?.catch(() => undefined))?.close();

  metrics.watch('database_standby_asked', 'Whether the standby answers: 0 while the primary does', () =>
    Number(isStandbyUsed),
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
