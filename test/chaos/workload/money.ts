import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SECRETS } from '../../journeys/system.ts';
import type { ExpectedDeposit } from '../oracle/oracle.ts';
import type { Random } from '../seed.ts';
import type { Person } from '../person.ts';
import type { World } from '../world.ts';
import { createClaims } from './claim.ts';
import type { Client } from './client.ts';

type Outcome = 'succeeded' | 'failed' | 'canceled';

/** Possible sequences of outcomes that the provider reports for one deposit. */
const BEHAVIOURS: Outcome[][] = [
  ['succeeded'],
  ['succeeded'],
  ['succeeded'],
  ['succeeded', 'succeeded'],
  ['failed', 'succeeded'],
  ['canceled', 'succeeded'],
  ['succeeded', 'failed'],
  ['failed'],
  ['canceled'],
  [],
];
const LATE_MS = 1_500;

/** The payment provider: its webhooks come repeatedly, late, never or contradict each other, and are retried. */
export function createProvider(world: World, client: Client) {
  const webhook = (
    id: string,
    type: string,
    depositId: number,
    { secret = SECRETS.SANDBOX_WEBHOOK_SECRET, more = {} }: { secret?: string; more?: object } = {},
  ) => {
    const body = JSON.stringify({ id, type, deposit_id: depositId, ...more });
    const time = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    return {
      path: 'api/webhooks/payments/sandbox',
      method: 'POST' as const,
      body,
      signature: `t=${time},v1=${signature}`,
    };
  };
  // 429: while wallet is away, the repeats of all webhooks may be more than an address may send.
  const send = (event: ReturnType<typeof webhook>, refusals: number[] = []) =>
    client.attempt({ ...event, headers: { 'x-signature': event.signature }, refusals: [429, ...refusals] });

  /** Repeats a webhook until it is confirmed or the run gives up. */
  async function deliver(id: string, type: string, depositId: number, more: object = {}): Promise<boolean> {
    while (!world.giveUp.aborted) {
      const answer = await send(webhook(id, type, depositId, { more }));
      if (answer.kind === 'done') return true;
      await pause(200);
    }
    return false;
  }

  return {
    /** An event about a dispute or refund of a deposit; true when it was confirmed. */
    claim: (type: string, depositId: number, more: object) => deliver(`evt-${randomUUID()}`, type, depositId, more),
    async decide(deposit: ExpectedDeposit & { id: number }, random: Random): Promise<void> {
      for (const outcome of random.pick(BEHAVIOURS)) {
        if (random.chance(0.3)) await pause(random.pauseMs(LATE_MS));
        const id = `evt-${randomUUID()}`;
        if (outcome === 'succeeded' && deposit.paid === 'no') deposit.paid = 'may';
        const isDelivered = await deliver(id, `deposit.${outcome}`, deposit.id);
        if (isDelivered && outcome === 'succeeded') deposit.paid = 'must';
        if (isDelivered && random.chance(0.2)) await deliver(id, `deposit.${outcome}`, deposit.id);
      }
    },
    /** Sends a webhook with a wrong signature, and sometimes one for a deposit that does not exist. */
    async forge(random: Random, depositId: number): Promise<void> {
      const forged = webhook(`evt-${randomUUID()}`, 'deposit.succeeded', depositId, { secret: 'not the secret' });
      const answer = await send(forged, [400]);
      if (answer.kind === 'done') world.record.violation('a forged webhook was accepted', forged.body);
      if (random.chance(0.3)) await send(webhook(`evt-${randomUUID()}`, 'deposit.succeeded', 2_000_000_000));
    },
  };
}

/** A student who makes deposits, of which some are disputed or refunded. */
export function createDepositor(world: World, client: Client, admin: Pick<Person, 'token'>) {
  const provider = createProvider(world, client);
  const claims = createClaims(world, client, { provider, admin });
  return async (student: Person, random: Random): Promise<void> => {
    const amount = world.oracle.nextAmount(student.isPoor ? 30 : 2_000);
    const deposit: ExpectedDeposit = { student: student.id, amount, made: 'may', paid: 'no' };
    world.oracle.deposits.push(deposit);
    const request = {
      method: 'POST' as const,
      path: 'api/deposits',
      by: student,
      body: { amount, method: 'card' },
      keyed: true,
      ...(random.chance(0.2) && { firstPatienceMs: random.between(2, 40) }),
      refusals: [409],
    };
    const sendAs = random.pick([client.ask, client.ask, client.ask, client.askTwice, client.askOnce]);
    const answer = await sendAs<{ id: number; amount: number }>(request);
    if (answer.kind === 'refused') world.oracle.deposits.splice(world.oracle.deposits.indexOf(deposit), 1);
    if (answer.kind !== 'done') return;
    deposit.made = 'must';
    const made = Object.assign(deposit, { id: answer.data.id });
    if (random.chance(0.1)) await provider.forge(random, made.id);
    await provider.decide(made, random);
    if (random.chance(0.25)) await claims.dispute(made, random);
    else if (random.chance(0.3)) {
      await claims.refund(made, student, random);
      if (random.chance(0.4)) await claims.dispute(made, random);
    }
  };
}
