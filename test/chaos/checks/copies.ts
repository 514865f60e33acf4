import { setTimeout as pause } from 'node:timers/promises';
import { SERVICES, type ServiceName } from '@tutoring/shared/contract/names';
import { auditLedger } from '../../cluster/audit.ts';
import type { Person } from '../person.ts';
import type { World } from '../world.ts';
import type { Client } from '../workload/client.ts';

type Query = [service: ServiceName, statement: string];

const PEOPLE = 'id, platform, status, deleted_at is not null as deleted, name, version from account order by id';
const peopleOf = (service: ServiceName): Query => [
  service,
  'select id, platform, status, deleted, name, version from user_copy order by id',
];
const BALANCES = 'select user_id, balance - held as available, version from account where version > 0 order by user_id';

/** Queries of the owner's rows, and of the copies that other services keep of them. */
const COPIES: [what: string, owner: Query, copies: Query[]][] = [
  ['people', ['identity', `select ${PEOPLE}`], [peopleOf('wallet'), peopleOf('messaging'), peopleOf('calls')]],
  [
    'balances',
    ['wallet', BALANCES],
    (['identity', 'messaging'] as const).map((service) => [
      service,
      'select user_id, available, version from balance_copy where version > 0 order by user_id',
    ]),
  ],
  [
    'rooms',
    ['messaging', 'select uuid from room order by uuid'],
    [['calls', 'select uuid from room_copy order by uuid']],
  ],
  [
    'accepted calls',
    ['calls', 'select identifier, teacher_id from call where accepted_at is not null order by identifier'],
    [['identity', 'select identifier, teacher_id from accepted_call order by identifier']],
  ],
];

async function checkCopies({ stack, record }: World): Promise<void> {
  for (const [what, owner, copies] of COPIES) {
    const truth = await stack.sql(...owner);
    const expected = new Set(truth.map((row) => JSON.stringify(row)));
    for (const copy of copies) {
      const rows = await stack.sql(...copy);
      const copied = new Set(rows.map((row) => JSON.stringify(row)));
      const differing = [...expected]
        .filter((row) => !copied.has(row))
        .concat([...copied].filter((row) => !expected.has(row)));
      if (differing.length > 0)
        record.violation(`${copy[0]} has other ${what} than ${owner[0]}`, differing.slice(0, 6).join(' '));
    }
  }
}

async function checkDeadLetters({ stack, record }: World): Promise<void> {
  for (const service of SERVICES) {
    const rows = await stack.sql(service, 'select name, error from dead_letter');
    if (rows.length > 0) record.violation(`dead letters of ${service}`, rows.slice(0, 3));
  }
}

const ACTS = `
  select data->>'action' || ' ' || (data->>'subject') || ' ' || (data->>'request_id') as act
  from outbox where name = 'admin.acted'`;
const AUDITED = `select action || ' ' || subject || ' ' || request_id as act from audit`;

/** Checks that each action of an administrator in another service is in the audit log exactly once. */
async function checkAudit({ stack, record }: World): Promise<void> {
  const audited = (await stack.sql<{ act: string }>('identity', AUDITED)).map(({ act }) => act);
  const times = Map.groupBy(audited, (act) => act);
  for (const service of SERVICES) {
    if (service === 'identity') continue;
    const actions = Map.groupBy(await stack.sql<{ act: string }>(service, ACTS), ({ act }) => act);
    const wrong = [...actions].filter(([act, all]) => times.get(act)?.length !== all.length).map(([act]) => act);
    if (wrong.length > 0) record.violation('the audit log has an act not at all, or twice', wrong.slice(0, 5));
  }
}

const STATS_MS = 40_000;

interface Stats {
  users: number;
  rooms: number;
  messages: number;
  deposits: { count: number };
  withdrawals: { count: number };
}

const COUNTS: Record<string, Query> = {
  users: ['identity', 'select count(*)::int as count from account where deleted_at is null'],
  rooms: ['messaging', 'select count(*)::int as count from room'],
  messages: ['messaging', 'select count(*)::int as count from message'],
  deposits: ['wallet', 'select count(*)::int as count from deposit'],
  withdrawals: ['wallet', 'select count(*)::int as count from withdrawal'],
};

async function differingStats({ stack }: World, client: Client, admin: Pick<Person, 'token'>) {
  const stats = await client.get<Stats>({ path: 'api/admin/stats', by: admin });
  const differing: Record<string, { shown: number | undefined; count: number }> = {};
  for (const [what, query] of Object.entries(COUNTS)) {
    const [{ count } = { count: 0 }] = await stack.sql<{ count: number }>(...query);
    const figure = stats?.[what as keyof Stats];
    const shown = typeof figure === 'object' ? figure.count : figure;
    if (shown !== count) differing[what] = { shown, count };
  }
  return differing;
}

/** Waits until the dashboard's figures equal the counts of the rows: they are cached for some seconds. */
async function checkStats(world: World, client: Client, admin: Pick<Person, 'token'>): Promise<void> {
  const deadline = performance.now() + STATS_MS;
  for (;;) {
    const differing = await differingStats(world, client, admin);
    if (Object.keys(differing).length === 0) return;
    if (performance.now() > deadline) return world.record.violation('the statistics differ from the counts', differing);
    await pause(500);
  }
}

/** For an idle system: copies equal their owners' rows, there are no dead letters, and the figures equal the rows. */
export async function checkCopiesAndFigures(world: World, client: Client, admin: Pick<Person, 'token'>): Promise<void> {
  await checkCopies(world);
  await checkDeadLetters(world);
  await checkAudit(world);
  await checkStats(world, client, admin);
  await auditLedger({ url: world.stack.databaseUrl('wallet') }).catch((error: unknown) =>
    world.record.violation('the audit of the ledger failed', String(error)),
  );
}
