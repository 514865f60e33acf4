import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { FIGURES, type Figures } from './units.ts';
import { PARTS, type Part } from './units/stack.ts';
import type { Kind } from './units/work.ts';

/** Activity per registered user. Replace these figures with your own measurements. */
const HABITS = {
  /** Share of users with an open app at the evening's peak. */
  listening: 0.03,
  /** Share of users in a call at the peak. */
  calling: 0.005,
  messagesPerListenerAndMinute: 1,
  requestsPerListenerAndMinute: 4,
  loginsPerUserAndDay: 0.05,
  depositsPerUserAndDay: 0.01,
  /** A day's work, in hours of work at the peak. */
  peakHoursPerDay: 6,
};
const STEP_SECONDS = 60;
const PEAK_SECONDS_PER_DAY = HABITS.peakHoursPerDay * 3_600;

/** Above this load of a Node process the autoscaler adds another one. */
const CORES_PER_REPLICA = 0.6;
/** Above this a PostgreSQL primary is divided: a large machine at 60 %. */
const CORES_PER_PRIMARY = 20;
const WAL_PER_PRIMARY = 50e6;
/** Memory of an open stream in a gateway (see the benchmark `listeners`), and of all streams of a gateway at most. */
const LISTENER_KIB = 11;
const LISTENERS_MIB = 290;

/** Units of work per second at the peak. */
function ratesOf(users: number): Record<Kind, number> {
  const listeners = users * HABITS.listening;
  return {
    request: (listeners * HABITS.requestsPerListenerAndMinute) / 60,
    login: (users * HABITS.loginsPerUserAndDay) / PEAK_SECONDS_PER_DAY,
    message: (listeners * HABITS.messagesPerListenerAndMinute) / 60,
    deposit: (users * HABITS.depositsPerUserAndDay) / PEAK_SECONDS_PER_DAY,
    step: (users * HABITS.calling) / STEP_SECONDS,
  };
}

const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });

/** The lines of the plan for a number of users: work, replicas and servers. */
function plan(users: number, { units }: Figures): string[] {
  const rates = ratesOf(users);
  const kinds = Object.keys(rates) as Kind[];
  const sum = (of: (kind: Kind) => number) => kinds.reduce((total, kind) => total + rates[kind] * of(kind), 0);
  const cores = (part: Part) => sum((kind) => units[kind].cpuMs[part]) / 1_000;
  const wal = sum((kind) => units[kind].walBytes);
  const yearly = (bytes: number) => (bytes * PEAK_SECONDS_PER_DAY * 365) / 1e12;

  const listeners = users * HABITS.listening;
  const gatewaysForStreams = Math.ceil((listeners * LISTENER_KIB) / 1_024 / LISTENERS_MIB);
  const replicas = (part: Part) => Math.max(2, Math.ceil(cores(part) / CORES_PER_REPLICA));
  const processes = PARTS.filter((part) => part !== 'postgres' && part !== 'nats').map((part) => {
    const needed = part === 'gateway' ? Math.max(replicas(part), gatewaysForStreams) : replicas(part);
    const why =
      part === 'gateway' && gatewaysForStreams > replicas(part) ? `, ${number(listeners)} streams decide` : '';
    return `  ${part.padEnd(10)} ${number(cores(part)).padStart(7)} cores, ${needed} replicas${why}`;
  });
  const primaries = Math.max(cores('postgres') / CORES_PER_PRIMARY, wal / WAL_PER_PRIMARY);
  return [
    `${number(users)} users: ${number(listeners)} listening, ${number(users * HABITS.calling)} in calls`,
    `  a second at the peak: ${kinds.map((kind) => `${number(rates[kind])} ${kind}s`).join(', ')}`,
    'processes',
    ...processes,
    'servers',
    `  PostgreSQL ${number(cores('postgres')).padStart(7)} cores, ${number(wal / 1e6)} MB/s of WAL, ` +
      `${number(yearly(sum((kind) => units[kind].dataBytes)))} TB a year: ${Math.max(1, Math.ceil(primaries))} primaries`,
    `  NATS       ${number(cores('nats')).padStart(7)} cores, ${number(sum((kind) => units[kind].natsBytes) / 1e6)} MB/s`,
    'PostgreSQL, by work',
    ...kinds.map((kind) => {
      const { cpuMs, walBytes } = units[kind];
      return `  ${kind.padEnd(10)} ${number((rates[kind] * cpuMs.postgres) / 1_000).padStart(7)} cores, ${number((rates[kind] * walBytes) / 1e6)} MB/s of WAL`;
    }),
  ];
}

/**
 * `node bench/plan.ts --users 10000000`: what a system of that size needs, computed from the figures of `npm run bench
 * -- units`.
 */
const { values } = parseArgs({ options: { users: { type: 'string', default: '10000000' } } });
const figures = JSON.parse(readFileSync(FIGURES, 'utf8')) as Figures;
console.log(`from bench/figures.json of ${figures.measuredAt}\n`);
console.log(plan(Number(values.users), figures).join('\n'));
