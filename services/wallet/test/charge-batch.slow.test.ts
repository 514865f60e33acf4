import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rows } from '@tutoring/shared/kit/database/sql';
import { catalogue, type EventName } from '@tutoring/shared/contract/events';
import { eventually, retryWhileUnavailable } from '@tutoring/shared/testing/wait';
import { audit } from '../src/audit/audit-store.ts';
import { chargeAll } from '../src/charges/charge-service.ts';
import type { Charge } from '../src/charges/charge-step.ts';
import { place } from '../src/holds/hold-service.ts';
import { lockAccounts } from '../src/ledger/ledger-store.ts';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;

beforeAll(async () => {
  wallet = await startWallet();
});
afterAll(() => wallet.stop());

describe('a batch of charges', () => {
  const asCharge = (
    input: Partial<Charge> & Pick<Charge, 'student_id' | 'teacher_id'>,
    id = wallet.newCall(),
  ): Charge => ({
    reference: `call:${id}:step:1`,
    hold: `call:${id}`,
    amount: 100,
    commission_percent: 10,
    next_amount: 50,
    call: { identifier: id, call_type: 'audio', step: 1 },
    context: { requestId: 'batch' },
    ...input,
  });
  const chargeTogether = (charges: Charge[]) =>
    wallet.service.service.database.transact((tx) => chargeAll(tx, charges, 'XOF'));
  /** Repeated while a busy machine keeps its locks for too long. */
  const chargeAlone = (charge: Charge) =>
    retryWhileUnavailable(() =>
      wallet.service.service.database.transact(async (tx) => {
        await lockAccounts(tx, [charge.student_id, charge.teacher_id]);
        return chargeAll(tx, [charge], 'XOF');
      }),
    );

  test('pays a teacher for each of several calls and publishes the final balance once', async () => {
    const { teacher: teacher_id } = await wallet.pair(100);
    const students = await Promise.all(Array.from({ length: 5 }, () => wallet.pair(1000)));
    const charges = students.map(({ student: student_id }) => asCharge({ student_id, teacher_id }));
    await chargeTogether(charges);
    expect((await wallet.balance(teacher_id)).balance).toBe(450);
    const events = (await wallet.service.published('balance.changed')).filter(({ user_id }) => user_id === teacher_id);
    expect(events).toEqual([expect.objectContaining({ balance: 450, version: 1 })]);
  });

  test('never deadlocks with concurrent single charges of the same people', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => wallet.pair(1_000_000)));
    const teachers = people.map(({ teacher }) => teacher);
    const any = (offset: number) => teachers[(offset * 7 + offset) % teachers.length]!;
    const charges = (round: number) =>
      people.map(({ student: student_id }, index) =>
        asCharge({ student_id, teacher_id: any(round + index), amount: 1 }),
      );
    const worker = async (round: number) => {
      for (let iteration = 0; iteration < 25; iteration += 1) {
        const batch = charges(round + iteration);
        const verdicts = round % 2 ? await chargeTogether(batch) : undefined;
        for (const [index, charge] of batch.entries()) if (!verdicts?.[index]) await chargeAlone(charge);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, round) => worker(round)));
    const paid = await Promise.all(teachers.map(async (teacher) => (await wallet.balance(teacher)).balance));
    expect(paid.reduce((sum, balance) => sum + balance, 0)).toBe(8 * 25 * 4);
  });

  test('skips charges of an account that another transaction locks, and waits for none', async () => {
    const [free, taken] = [await wallet.pair(1000), await wallet.pair(1000)];
    const charges = [free, taken].map(({ student, teacher }) => asCharge({ student_id: student, teacher_id: teacher }));
    await chargeTogether(charges);
    const next = charges.map((charge) => ({ ...charge, reference: charge.reference.replace(/1$/, '2') }));
    await wallet.service.service.database.transact(async (tx) => {
      await rows(tx, 'select from account where user_id = $1 for update', [taken.student]);
      // Nor does it wait to open an account for a teacher's first charge.
      const opening = asCharge({ student_id: (await wallet.pair(1000)).student, teacher_id: wallet.newUser() });
      const verdicts = await chargeTogether([...next, opening]);
      expect(verdicts.map((verdict) => verdict?.verdict)).toEqual(['done', undefined, 'done']);
    });
    expect((await wallet.balance(taken.teacher)).balance).toBe(90);
  });

  test('sees everything that was written before it acquired its locks', async () => {
    const [{ student, teacher }, { student: other }] = [await wallet.pair(250), await wallet.pair(250)];
    const newTeacher = wallet.newUser();
    const [first, second] = [
      asCharge({ student_id: student, teacher_id: teacher, amount: 200 }),
      asCharge({ student_id: other, teacher_id: newTeacher }),
    ];
    const { database } = wallet.service.service;
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const waiting = async () => (await rows(database.manager, waits)).length > 0;
    const { verdicts } = await database.transact(async (tx) => {
      // The batch waits for this transaction to open the same account; meanwhile the student gets a hold.
      await rows(tx, 'insert into account (user_id) values ($1)', [newTeacher]);
      const together = database.transact(async (batch) => {
        // A busy machine may be slow to see that it waits.
        await rows(batch, 'set local lock_timeout = 0');
        await rows(batch, 'set local statement_timeout = 0');
        return chargeAll(batch, [first, second], 'XOF');
      });
      await eventually('the batch waits', waiting);
      await place(tx, 'XOF', { reference: first.hold, user: student, amount: 100, seconds: null });
      return { verdicts: together };
    });
    expect(await verdicts).toEqual([{ verdict: 'done', charged: 200, reserved: 50, available: 0 }, undefined]);
    expect(await wallet.balance(student)).toEqual({ balance: 50, held: 50, available: 0 });
  });

  test('decides each charge on the balance after the earlier ones when a person pays twice and is paid', async () => {
    const [{ student, teacher }, { student: pupil }] = [await wallet.pair(250), await wallet.pair(100)];
    const [id, other] = [wallet.newCall(), wallet.newCall()];
    const steps = [1, 2, 2, 3].map((step) => ({
      ...asCharge({ student_id: student, teacher_id: teacher }, id),
      reference: `call:${id}:step:${step}`,
    }));
    const paysStudent = asCharge({ student_id: pupil, teacher_id: student, next_amount: 0 }, other);
    const verdicts = await chargeTogether([...steps, paysStudent, { ...steps[3]!, next_amount: 0 }]);
    expect(verdicts).toEqual([
      { verdict: 'done', charged: 100, reserved: 50, available: 100 },
      { verdict: 'done', charged: 100, reserved: 50, available: 0 },
      { verdict: 'repeated', charged: 100, reserved: 50, available: 0 },
      { verdict: 'refused', charged: 0, reserved: 50, available: 0 },
      { verdict: 'done', charged: 100, reserved: 0, available: 0 },
      { verdict: 'done', charged: 100, reserved: 0, available: 40 },
    ]);
    expect(await wallet.balance(student)).toEqual({ balance: 40, held: 0, available: 40 });
    const payments = await wallet.service.rows(
      'select user_id, amount from payment where source = $1 order by direction desc',
      [`call:${id}`],
    );
    expect(payments).toEqual([
      { user_id: student, amount: 300 },
      { user_id: teacher, amount: 270 },
    ]);
    const holds = await wallet.service.rows('select state, amount, version from hold where reference = $1', [
      `call:${id}`,
    ]);
    expect(holds).toEqual([{ state: 'released', amount: 0, version: 1 }]);
  });

  test('charges each step once and without deadlock next to single charges of the same steps', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => wallet.pair(1_000_000)));
    const ids = people.map(() => wallet.newCall());
    const step = (index: number, nr: number): Charge => ({
      ...asCharge({ student_id: people[index]!.student, teacher_id: people[index % 2]!.teacher }, ids[index]),
      reference: `call:${ids[index]}:step:${nr}`,
    });
    const steps = (nr: number) => people.map((_, index) => step(index, nr));
    const worker = async (nr: number) => {
      for (let iteration = 1; iteration <= 20; iteration += 1) {
        const charges = steps(iteration);
        if (nr % 3 === 0) await Promise.all(charges.map(chargeAlone));
        else if (nr % 3 === 1) for (const charge of charges) await chargeAlone(charge);
        else await chargeTogether(charges);
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_, nr) => worker(nr)));
    for (const { student } of people) expect((await wallet.balance(student)).balance).toBe(1_000_000 - 20 * 100);
    const [counted] = await wallet.service.rows<{ steps: number }>(
      `select count(*) as steps from transfer where kind = 'call' and split_part(reference, ':', 2) = any($1)`,
      [ids],
    );
    expect(counted!.steps).toBe(4 * 20);
    expect((await audit(wallet.service.service.database)).findings).toEqual([]);
  });
});

test('a charge publishes only the balances', async () => {
  const [student, teacher, call] = [900_001, 900_002, 'quiet'];
  await wallet.topUp(student, 1000);
  await wallet.hold(call, student, 100);
  const publishedBy = async (step: number, next: number) => {
    const [before] = await wallet.service.rows<{ id: number }>('select max(id) as id from outbox');
    await wallet.charge({ call, step, student, teacher, amount: 100, next });
    const events = await wallet.service.rows<{ name: string }>('select name from outbox where id > $1', [before!.id]);
    return events.map(({ name }) => name).sort();
  };
  const balances = ['balance.changed', 'balance.changed', 'wallet.balance', 'wallet.balance'];
  expect(await publishedBy(1, 100)).toEqual(balances);
  expect(await publishedBy(2, 70)).toEqual(balances);
  expect(await publishedBy(3, 0)).toEqual(balances);
});

test('every event matches the catalogue, and every live event the contract', async () => {
  const events = await wallet.service.rows<{
    name: EventName;
    subject: string;
    aggregate_id: string;
    aggregate_version: number;
    data: Record<string, unknown>;
  }>(`select name, subject, aggregate_id, aggregate_version, data from outbox order by id`);
  const names = new Set<string>();
  for (const event of events) {
    names.add(event.name);
    if (event.subject.startsWith('live.')) {
      expect(event.subject).toBe(`live.${event.aggregate_id}`);
      expect(Object.keys(event.data).sort()).toEqual(['available', 'balance', 'held']);
      continue;
    }
    const { schema, key } = catalogue[event.name];
    expect(event.subject).toBe(`events.${event.name}`);
    expect(schema.strict().parse(event.data)).toEqual(event.data);
    expect(event.aggregate_id).toBe(String(event.data[key]));
    expect(event.aggregate_version).toBe(event.data['version'] ?? 0);
  }
  expect([...names].sort()).toEqual(['balance.changed', 'deposit.changed', 'wallet.balance']);
});

test('the versions of a balance rise in the order of the outbox', async () => {
  const [wrong] = await wallet.service.rows<{ count: number }>(
    `select count(*) as count from (
       select aggregate_version <= lag(aggregate_version) over (partition by aggregate_id order by id) as falls
       from outbox where name = 'balance.changed'
     ) v where falls`,
  );
  expect(wrong?.count).toBe(0);
});
