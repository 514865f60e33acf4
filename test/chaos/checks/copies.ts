import { SERVICES, type ServiceName } from '@tutoring/shared/process/names';
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

/** What a service keeps of another's nouns, beside the owner's rows. */
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
    const known = new Set(truth.map((row) => JSON.stringify(row)));
    for (const copy of copies) {
      const rows = await stack.sql(...copy);
      const kept = new Set(rows.map((row) => JSON.stringify(row)));
      const differing = [...known].filter((row) => !kept.has(row)).concat([...kept].filter((row) => !known.has(row)));
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

const ACTS = `select count(*)::int as count from outbox where name = 'admin.acted'`;

/** Every act of an administrator is in the audit log once. */
async function checkAudit({ stack, record }: World): Promise<void> {
  const [{ count } = { count: 0 }] = await stack.sql<{ count: number }>(
    'identity',
    'select count(*)::int as count from audit',
  );
  let acts = 0;
  for (const service of SERVICES) acts += (await stack.sql<{ count: number }>(service, ACTS))[0]?.count ?? 0;
  // Those of identity itself may be written without an event.
  if (count < acts) record.violation('the audit log is not complete', { count, acts });
}

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

/** The dashboard's figures are the counts of the rows. */
async function checkStats({ stack, record }: World, client: Client, admin: Pick<Person, 'token'>): Promise<void> {
  // Longer than the figures may be old.
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  const stats = await client.get<Stats>({ path: 'api/admin/stats', by: admin });
  for (const [what, query] of Object.entries(COUNTS)) {
    const [{ count } = { count: 0 }] = await stack.sql<{ count: number }>(...query);
    const told = stats?.[what as keyof Stats];
    const shown = typeof told === 'object' ? told.count : told;
    if (shown !== count) record.violation(`the statistics have other ${what}`, { shown, count });
  }
}

/** After quiet: copies equal their owners, nothing was given up, and the figures are those of the rows. */
export async function checkCopiesAndFigures(world: World, client: Client, admin: Pick<Person, 'token'>): Promise<void> {
  await checkCopies(world);
  await checkDeadLetters(world);
  await checkAudit(world);
  await checkStats(world, client, admin);
  await auditLedger({ url: world.stack.databaseUrl('wallet') }).catch((error: unknown) =>
    world.record.violation('the audit of the ledger fails', String(error)),
  );
}
