import { setTimeout as pause } from 'node:timers/promises';
import type { ExpectedDeposit, ExpectedDispute, ExpectedRefund } from '../oracle/oracle.ts';
import type { Person } from '../person.ts';
import type { Random } from '../seed.ts';
import type { World } from '../world.ts';
import type { Client } from './client.ts';

type MadeDeposit = ExpectedDeposit & { id: number };

/** Possible sequences of the provider's words about one dispute: late, repeated and backwards. */
const WORDS: string[][] = [
  ['opened'],
  ['opened', 'lost'],
  ['opened', 'won'],
  ['opened', 'won', 'won'],
  ['won', 'opened'],
  ['lost', 'opened', 'won'],
  ['opened', 'opened', 'lost'],
];

interface Tools {
  provider: { claim(type: string, depositId: number, more: object): Promise<boolean> };
  admin: Pick<Person, 'token'>;
}

/** Payers who dispute deposits, and students who want unspent money back. */
export function createClaims(world: World, client: Client, { provider, admin }: Tools) {
  const { oracle } = world;

  async function disputeOnce(deposit: MadeDeposit, random: Random, ref: string): Promise<void> {
    const amount = random.chance(0.5) ? deposit.amount : random.between(1, deposit.amount);
    const expected: ExpectedDispute = { student: deposit.student, ref, amount, confirmed: new Set(), sent: new Set() };
    oracle.disputes.push(expected);
    for (const word of random.pick(WORDS)) {
      if (random.chance(0.5)) await pause(random.pauseMs(1_500));
      expected.sent.add(word);
      if (await provider.claim(`dispute.${word}`, deposit.id, { amount, dispute_id: ref }))
        expected.confirmed.add(word);
      world.record.seen('a deposit was disputed');
    }
  }

  /** Disputes a deposit; several disputes of one may take more than its owner has, who then has a debt. */
  async function dispute(deposit: MadeDeposit, random: Random): Promise<void> {
    await disputeOnce(deposit, random, `dispute-${deposit.id}`);
    if (random.chance(0.5)) await disputeOnce(deposit, random, `dispute-${deposit.id}-again`);
  }

  /** Moves a refund to a status; repeated requests and lost answers change nothing. */
  async function move(refund: ExpectedRefund, status: string, random: Random): Promise<boolean> {
    const [from] = refund.states;
    refund.states.add(status);
    const send = random.pick([client.ask, client.askTwice]);
    const answer = await send({
      method: 'PUT',
      path: `api/admin/deposit-refunds/${refund.id}`,
      by: admin,
      body: { status, details: 'Decided' },
      // A dispute may have canceled it.
      refusals: [409],
    });
    if (answer.kind === 'done') refund.states = new Set([status]);
    if (answer.kind === 'refused') refund.states = new Set([from!, 'canceled']);
    return answer.kind === 'done';
  }

  async function refund(deposit: MadeDeposit, student: Person, random: Random): Promise<void> {
    const amount = random.between(1, deposit.amount);
    const expected: ExpectedRefund = { student: student.id, amount, made: 'may', states: new Set(['requested']) };
    const answer = await client.ask<{ id: number }>({
      method: 'POST',
      path: `api/deposits/${deposit.id}/refunds`,
      by: student,
      body: { amount, reason: 'Not needed' },
      keyed: true,
      refusals: [402, 409, 422],
    });
    if (answer.kind !== 'done') return;
    oracle.refunds.push(expected);
    expected.made = 'must';
    expected.id = answer.data.id;
    const fate = random.pick(['left', 'rejected', 'success', 'success', 'failed']);
    world.record.seen('a deposit was asked back');
    if (fate === 'left') return;
    if (fate === 'rejected') return void (await move(expected, 'rejected', random));
    if (await move(expected, 'sent', random)) await move(expected, fate, random);
  }

  return { dispute, refund };
}
