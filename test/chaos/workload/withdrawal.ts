import { CHECKER_FROM } from '../oracle/oracle.ts';
import type { ExpectedWithdrawal, MadeWithdrawal } from '../oracle/payout.ts';
import type { Person, Staff } from '../person.ts';
import type { Random } from '../seed.ts';
import type { World } from '../world.ts';
import type { Answer, Client } from './client.ts';
import { createPayoutAccounts } from './payout-account.ts';
import { mustRefuse } from './payout-batch.ts';

/** Moves a withdrawal to a status: a decision of an administrator, or its owner who cancels it. */
export async function moveWithdrawal(
  client: Client,
  withdrawal: ExpectedWithdrawal,
  to: string,
  by: { admin: Staff } | { owner: Person },
  refusals: number[] = [],
): Promise<Answer<unknown>> {
  const [from] = withdrawal.states;
  withdrawal.states.add(to);
  const path = `api/${'admin' in by ? 'admin/' : ''}withdrawals/${withdrawal.id}`;
  const answer = await ('admin' in by
    ? client.ask({ method: 'PUT', path, by: by.admin, body: { status: to }, refusals })
    : client.ask({ method: 'POST', path: `${path}/cancel`, by: by.owner, refusals: [409] }));
  if (answer.kind === 'done') withdrawal.states = new Set([to]);
  if (answer.kind === 'refused') withdrawal.states = new Set([from!]);
  return answer;
}

type Fate = 'left' | 'canceled by its owner' | 'success' | 'failed' | 'batch';
const FATES: Fate[] = [
  ...(['left', 'canceled by its owner', 'success', 'failed'] as const),
  ...Array.from({ length: 6 }, (): Fate => 'batch'),
];

/** Teachers who request withdrawals, and administrators who decide about each or leave it for a batch. */
export function createWithdrawals(world: World, client: Client, staff: readonly [Staff, Staff]) {
  const accountFor = createPayoutAccounts(world, client);
  /** Amounts of refused requests: nothing is stored with them. */
  const unused: number[] = [];

  /** An unused amount, more often one for which the provider of the sandbox does more than pay at once. */
  function amountFor(random: Random): number {
    const amount = unused.shift() ?? world.oracle.nextAmount(10);
    const isPlain = amount % 10 === 0 || amount % 10 > 5;
    return isPlain && random.chance(0.6) ? world.oracle.nextAmount(10) : amount;
  }

  /** One administrator claims a withdrawal, another one decides about it. */
  async function decide(withdrawal: MadeWithdrawal, fate: Fate, random: Random): Promise<void> {
    const [claimer, payer] = random.shuffled(staff) as [Staff, Staff];
    if ((await moveWithdrawal(client, withdrawal, 'pending', { admin: claimer })).kind !== 'done') return;
    const needsOther = withdrawal.amount >= CHECKER_FROM;
    if (needsOther && random.chance(0.3))
      await mustRefuse({ world, client }, 'who claimed a withdrawal paid it', {
        method: 'PUT',
        path: `api/admin/withdrawals/${withdrawal.id}`,
        by: claimer,
        body: { status: 'success' },
      });
    await moveWithdrawal(client, withdrawal, fate, { admin: needsOther ? payer : random.pick(staff) });
  }

  async function request(teacher: Person, random: Random): Promise<MadeWithdrawal | undefined> {
    const account = random.chance(0.7) ? await accountFor(teacher, random) : undefined;
    const amount = amountFor(random);
    const withdrawal: ExpectedWithdrawal = {
      ...{ teacher: teacher.id, amount, made: 'may', states: new Set(['initiated']) },
      ...(account !== undefined && { account }),
    };
    world.oracle.withdrawals.push(withdrawal);
    const manner = random.pick([client.ask, client.ask, client.askTwice, client.askOnce]);
    const target =
      account === undefined ? { method: 'mobile_money', account: '+22890445566' } : { payout_account_id: account };
    const answer = await manner<{ id: number }>({
      method: 'POST',
      path: 'api/withdrawals',
      by: teacher,
      body: { amount, ...target },
      keyed: true,
      refusals: [402],
    });
    if (answer.kind === 'refused') {
      world.oracle.withdrawals.splice(world.oracle.withdrawals.indexOf(withdrawal), 1);
      unused.push(amount);
    }
    if (answer.kind !== 'done') return undefined;
    withdrawal.made = 'must';
    return Object.assign(withdrawal, { id: answer.data.id });
  }

  return async (teacher: Person, random: Random): Promise<void> => {
    const withdrawal = await request(teacher, random);
    if (!withdrawal) return;
    const fate = random.pick(FATES);
    if (fate === 'left') return;
    if (fate === 'batch') world.oracle.payable.push(withdrawal);
    else if (fate === 'canceled by its owner') await moveWithdrawal(client, withdrawal, 'canceled', { owner: teacher });
    else await decide(withdrawal, fate, random);
  };
}
