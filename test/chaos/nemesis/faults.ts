import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Line } from '../stack/line.ts';
import { hasOwnNetwork, losePackets } from '../stack/namespace.ts';
import { retry } from '../stack/servers.ts';
import type { Stack } from '../stack/stack.ts';
import { SERVICES, type ServiceName } from '@tutoring/shared/contract/names';
import { isUnavailable } from '@tutoring/shared/kit/database/refusals';

/** Ends the fault. */
type End = () => unknown;

export interface Fault {
  /** Possible targets; a fault without a choice has one. */
  targets: readonly string[];
  /** Relative probability of being chosen. */
  weight: number;
  lastsMs: readonly [shortest: number, longest: number];
  /** Servers that the fault takes down as a whole: faults of the same server run one after the other. */
  takes?: readonly ('PostgreSQL' | 'NATS' | 'Redis')[];
  begin(stack: Stack, target: string): Promise<End> | End;
  /** Why the fault cannot run on this machine; undefined when it can. */
  missing?(stack: Stack): string | undefined;
}

/** A seed chooses targets by their position. */
const PROCESSES = [...SERVICES, 'gateway'] as const;
const REPLICAS = PROCESSES.flatMap((name) => [`${name}-0`, `${name}-1`]);
const ONE = ['-'] as const;
const SHORT = [500, 4_000] as const;
const LONG = [2_000, 9_000] as const;
/** Time between two steps of a clock: longer than libfaketime caches the offset. */
const STEP_MS = 2_500;
const LOST_SHARE = 0.25;

const replicaOf = (stack: Stack, id: string) => {
  const found = stack.product.replicas.find((replica) => replica.id === id);
  if (!found) throw new Error(`there is no replica ${id}`);
  return found;
};

/** A fault of the network line between a process and a server, or in front of a service. */
const lineFault = (
  kind: 'postgres' | 'nats' | 'http',
  weight: number,
  lastsMs: Fault['lastsMs'],
  begin: (line: Line) => End,
): Fault => ({
  targets: kind === 'nats' ? PROCESSES : SERVICES,
  weight,
  lastsMs,
  begin: (stack, target) => begin(stack.lines.get(`${kind}/${target}`)!),
});

const TERMINATE = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and usename like '%_service'`;

const noRedis = (stack: Stack) => (stack.redis ? undefined : 'redis-server is not installed');
const noDisk = (stack: Stack) => (stack.disks ? undefined : 'file systems cannot be mounted: run as root');

const noEarlier = ({ release }: Stack) =>
  release.before === undefined ? 'no earlier release is given: use --before COMMIT' : undefined;

const noClocks = (stack: Stack) => (stack.clocks ? undefined : 'libfaketime is not installed');
const clockFault = (shifts: readonly number[]): Fault => ({
  targets: REPLICAS,
  weight: 1,
  lastsMs: LONG,
  missing: noClocks,
  begin: ({ clocks }, target) => {
    let index = 0;
    const next = () => clocks!.shift(target, shifts[(index += 1) % shifts.length]!);
    next();
    const timer = setInterval(next, STEP_MS);
    return () => {
      clearInterval(timer);
      clocks!.shift(target, 0);
    };
  },
});

/**
 * Kills PostgreSQL and NATS, discards their unflushed writes, and restarts them. A single NATS server deletes a
 * consumer with a torn file, so consumers are created again as in the runbook.
 */
async function powerCut(stack: Stack): Promise<End> {
  await Promise.all([stack.postgres.kill(), stack.nats.kill()]);
  return async () => {
    await stack.disks!.PostgreSQL.loseUnflushed();
    await stack.disks!.NATS.loseUnflushed();
    await Promise.all([stack.postgres.start(), stack.nats.start()]);
    await stack.makeStreams();
  };
}

export const DEPLOY = 'this release is deployed';
export const MIXED_RELEASES = 'the release before runs beside this one';

/** Every fault by its name. Names are part of stored schedules and must not change. */
export const FAULTS: Record<string, Fault> = {
  'kill a process': {
    targets: REPLICAS,
    weight: 6,
    lastsMs: SHORT,
    begin: async (stack, target) => {
      const replica = replicaOf(stack, target);
      await replica.kill();
      return () => replica.start();
    },
  },
  'kill all replicas': {
    targets: PROCESSES,
    weight: 2,
    lastsMs: SHORT,
    begin: async (stack, target) => {
      const replicas = stack.product.replicas.filter(({ name }) => name === target);
      await Promise.all(replicas.map((replica) => replica.kill()));
      return () => replicas.forEach((replica) => replica.start());
    },
  },
  'pause a process': {
    targets: REPLICAS,
    weight: 4,
    lastsMs: LONG,
    begin: (stack, target) => replicaOf(stack, target).halt(),
  },
  'replace a process': {
    targets: REPLICAS,
    weight: 2,
    lastsMs: [1, 1],
    begin: async (stack, target) => {
      await replicaOf(stack, target).replace();
      return () => undefined;
    },
  },
  'end database backends': {
    targets: SERVICES,
    weight: 3,
    lastsMs: [1, 1],
    begin: async (stack, target) => {
      await stack.sql(target as ServiceName, TERMINATE).catch((error: unknown) => {
        // Another fault may have closed this connection, too, or the server starts again.
        if (!isUnavailable(error)) throw error;
      });
      return () => undefined;
    },
  },
  'kill PostgreSQL': {
    targets: ONE,
    takes: ['PostgreSQL'],
    weight: 2,
    lastsMs: SHORT,
    begin: async ({ postgres }) => {
      await postgres.kill();
      return () => postgres.start();
    },
  },
  'pause PostgreSQL': {
    targets: ONE,
    takes: ['PostgreSQL'],
    weight: 1,
    lastsMs: LONG,
    begin: ({ postgres }) => postgres.halt(),
  },
  'kill NATS': {
    targets: ONE,
    takes: ['NATS'],
    weight: 2,
    lastsMs: SHORT,
    begin: async ({ nats }) => {
      await nats.kill();
      return () => nats.start();
    },
  },
  'pause NATS': { targets: ONE, takes: ['NATS'], weight: 1, lastsMs: LONG, begin: ({ nats }) => nats.halt() },
  'kill Redis': {
    targets: ONE,
    takes: ['Redis'],
    weight: 1,
    lastsMs: LONG,
    missing: noRedis,
    begin: async ({ redis }) => {
      await redis!.kill();
      return () => redis!.start();
    },
  },
  'pause Redis': {
    targets: ONE,
    takes: ['Redis'],
    weight: 1,
    lastsMs: LONG,
    missing: noRedis,
    begin: ({ redis }) => redis!.halt(),
  },
  'database connections are cut': lineFault('postgres', 2, [1, 1], (line) => (line.cut(), () => undefined)),
  'database line is silent': lineFault('postgres', 2, LONG, (line) => line.silence()),
  'database connections are half open': lineFault('postgres', 2, LONG, (line) => line.strand()),
  'answers of COMMIT are lost': lineFault('postgres', 4, LONG, (line) => line.dropCommitAnswers(8)),
  'FATAL behind ReadyForQuery': lineFault('postgres', 2, LONG, (line) => line.terminate(25)),
  'database connections are torn': lineFault('postgres', 2, LONG, (line) => line.tear(randomBytes(200_000))),
  'NATS connections are cut': lineFault('nats', 2, [1, 1], (line) => (line.cut(), () => undefined)),
  'NATS line is silent': lineFault('nats', 2, LONG, (line) => line.silence()),
  'NATS connections are half open': lineFault('nats', 2, LONG, (line) => line.strand()),
  'NATS is out of reach': lineFault('nats', 2, LONG, (line) => line.refuse()),
  'NATS connections are torn': lineFault('nats', 1, LONG, (line) => line.tear(randomBytes(100_000))),
  'a service is silent': lineFault('http', 2, LONG, (line) => line.silence()),
  'a service is out of reach': lineFault('http', 2, SHORT, (line) => line.refuse()),
  'connections to a service are torn': lineFault('http', 2, LONG, (line) => line.tear(randomBytes(30_000))),
  'packets are lost': {
    targets: ['postgres', 'nats'],
    weight: 3,
    lastsMs: LONG,
    missing: () =>
      hasOwnNetwork() ? undefined : 'there is no separate network namespace: run as root with unshare and iptables',
    begin: (stack, target) => losePackets(stack[target as 'postgres' | 'nats'].port, LOST_SHARE),
  },
  "the images' workers are killed": {
    targets: REPLICAS.filter((id) => /^(messaging|identity)/.test(id)),
    weight: 1,
    lastsMs: [1, 1],
    begin: (stack, target) => {
      replicaOf(stack, target).killChildren();
      return () => undefined;
    },
  },
  'the store of NATS is put back from an older copy': {
    targets: ONE,
    takes: ['NATS'],
    weight: 1,
    lastsMs: LONG,
    begin: async ({ nats, natsStore }) => {
      const [store, copy] = [join(natsStore, 'jetstream'), join(natsStore, 'copy')];
      await nats.kill();
      cpSync(store, copy, { recursive: true });
      await nats.start();
      return async () => {
        await nats.kill();
        rmSync(store, { recursive: true });
        renameSync(copy, store);
        await nats.start();
      };
    },
  },
  'clock is two minutes ahead': clockFault([120]),
  'clock is two minutes behind': clockFault([-120]),
  'clock steps': clockFault([120, -120, 0, -30]),
  'power cut': {
    targets: ONE,
    takes: ['PostgreSQL', 'NATS'],
    weight: 1,
    lastsMs: SHORT,
    missing: noDisk,
    begin: powerCut,
  },
  [DEPLOY]: { targets: ONE, weight: 1, lastsMs: [1, 1], missing: noEarlier, begin: deploy },
  [MIXED_RELEASES]: {
    targets: REPLICAS,
    weight: 2,
    lastsMs: LONG,
    missing: noEarlier,
    begin: async (stack, target) => {
      const replica = replicaOf(stack, target);
      await replica.replace(stack.release.before);
      return () => replica.replace(stack.release.present);
    },
  },
  'full disk': {
    targets: ['PostgreSQL', 'NATS', 'files', 'all'],
    takes: ['PostgreSQL', 'NATS'],
    weight: 1,
    lastsMs: LONG,
    missing: noDisk,
    begin: ({ disks }, target) => {
      const full = Object.entries(disks!).filter(([name]) => target === 'all' || target === name);
      const free = full.map(([, disk]) => disk.fill());
      return () => free.forEach((release) => release());
    },
  },
};

/** Not derived from the seed: the bytes in flight at a given time do not depend on the seed either. */
function randomBytes(most: number): () => number {
  return () => Math.ceil(Math.random() * most);
}

/** An upgrade: migrations first, retried until they succeed, then one replica after the other. */
async function deploy({ release, product }: Stack): Promise<End> {
  await retry('the migration', release.migrate);
  for (const replica of product.replicas) {
    await replica.replace(release.present);
    await product.allUp();
  }
  return () => undefined;
}

const UNUSUAL = [DEPLOY, MIXED_RELEASES];
/** The default faults. The unusual ones run only when they are named. */
export const USUAL = Object.keys(FAULTS).filter((name) => !UNUSUAL.includes(name));
