import { STEP_SECONDS } from '../oracle/oracle.ts';
import type { World } from '../world.ts';
import { checkBatches, createSendingCheck } from './payout.ts';
import type { Client } from '../workload/client.ts';

const EVERY_MS = 2_000;
const SERVED_MS = 250;
const PROBE_MS = 1_000;
/** A logout takes effect within a second of its answer or of the end of a fault; the rest is for slow machines. */
const DEAD_AFTER_MS = 9_000;
/** A token is probed in every fourth round. */
const PROBED_EVERY = 4;
/** How long a dead token is probed: longer than the gateway caches the result of a token check. */
const WATCHED_MS = 40_000;

/** Accounts whose cached balance is not the sum of their transfers. */
export const UNBALANCED = `
  with moved as (
    select credit_account as id, amount from transfer union all select debit_account, -amount from transfer
  ), summed as (select id, sum(amount)::bigint as total from moved where id > 0 group by id)
  select coalesce(a.user_id, s.id) as id, a.balance, s.total from account a full join summed s on s.id = a.user_id
  where coalesce(a.balance, 0) <> coalesce(s.total, 0)`;

/** Accounts whose held money is not the sum of their open holds. */
export const WRONG_HOLDS = `
  select a.user_id as id, a.held, coalesce(sum(h.amount), 0)::bigint as holds
  from account a left join hold h on h.user_id = a.user_id and h.state = 'open'
  group by a.user_id, a.held having a.held <> coalesce(sum(h.amount), 0)`;

/** Calls with a step that was charged too early. */
const CHARGED_EARLY = `
  select identifier, call_type, steps, accepted_at, clock_timestamp() as now from call
  where steps > 1 and accepted_at + make_interval(secs => (steps - 1) * ${STEP_SECONDS}) > clock_timestamp()`;

const LEASES = `select name, holder::text as holder from lease`;
const LOST = `select count(*)::int as lost from call where answer_lost_at is not null`;
const UNSENT_EVENTS = `select count(*)::int as count from outbox where sent_at is null`;

/** Repeats `check` until the returned function is called. Errors are ignored: the database may be down. */
export function repeatEvery(everyMs: number, check: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    running = check()
      .catch(() => undefined)
      .finally(() => (isBusy = false));
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}

async function checkLedger({ stack, record }: World): Promise<void> {
  for (const [what, statement] of [
    ['a balance is not the sum of its transfers', UNBALANCED],
    ['held money is not the sum of its holds', WRONG_HOLDS],
  ] as const) {
    const rows = await stack.sql('wallet', statement);
    if (rows.length > 0) record.violation(what, rows.slice(0, 5));
  }
}

async function checkMeter({ stack, record }: World): Promise<void> {
  const rows = await stack.sql('calls', CHARGED_EARLY);
  if (rows.length > 0) record.violation('a step was charged before its time', rows.slice(0, 5));
}

/** Records rare paths that are visible only in the databases. */
function createSightings({ stack, record }: World) {
  const holders = new Map<string, string>();
  return async () => {
    for (const service of ['identity', 'wallet', 'messaging', 'calls'] as const) {
      for (const { name, holder } of await stack.sql<{ name: string; holder: string }>(service, LEASES)) {
        const key = `${service} ${name}`;
        if (holders.has(key) && holders.get(key) !== holder) record.seen('a lease was taken over');
        holders.set(key, holder);
      }
      const [unsent] = await stack.sql<{ count: number }>(service, UNSENT_EVENTS);
      if (unsent!.count > 20) record.seen('events waited in an outbox');
    }
    const [{ lost } = { lost: 0 }] = await stack.sql<{ lost: number }>('calls', LOST);
    if (lost > 0) record.seen('an answer of wallet to calls was lost', lost);
  };
}

/** Sends requests with logged-out tokens: all must be refused. */
function probeDeadTokens(world: World, client: Client) {
  const { oracle, record } = world;
  let round = 0;
  return async () => {
    const now = record.now();
    const recent = oracle.deadTokens.filter(({ at }) => now - at < WATCHED_MS);
    round += 1;
    // Only a part of the tokens, so that probes stay a small share of the requests.
    const some = recent.filter((_, index) => index % PROBED_EVERY === round % PROBED_EVERY);
    await Promise.all(
      some.map(async ({ token, at }) => {
        const calm = world.isCalm(DEAD_AFTER_MS);
        const answer = await client.attempt({ path: 'api/me', by: { token }, refusals: [401], patienceMs: 3_000 });
        if (answer.kind !== 'done') return;
        if (calm && now - at > DEAD_AFTER_MS) record.violation('a dead token lives', { sinceMs: Math.round(now - at) });
        else record.seen('a logged out token was still taken for a moment');
      }),
    );
  };
}

/** One path of each service. */
const PATHS = ['api/me', 'api/wallet', 'api/rooms', 'api/calls'];

/** Sends a request to every service at the same time, to measure when all of them have recovered. */
function probeServices(world: World, client: Client) {
  const { record, oracle } = world;
  return async () => {
    const sent = record.now();
    const by = oracle.pairs[0]!.student;
    const ask = (path: string) => client.attempt({ path, by, patienceMs: 2_000 });
    const answers = await Promise.all(PATHS.map(ask));
    if (answers.every(({ kind }) => kind === 'done')) record.served(sent);
  };
}

/** Starts the checks that run during the workload. The returned function stops them and waits for the last ones. */
export function startWatch(world: World, client: Client): () => Promise<void> {
  const stops = [
    repeatEvery(EVERY_MS, () => checkLedger(world)),
    repeatEvery(EVERY_MS, () => checkBatches(world)),
    repeatEvery(EVERY_MS, createSendingCheck(world)),
    repeatEvery(EVERY_MS, () => checkMeter(world)),
    repeatEvery(EVERY_MS, createSightings(world)),
    repeatEvery(PROBE_MS, probeDeadTokens(world, client)),
    repeatEvery(SERVED_MS, probeServices(world, client)),
  ];
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}
