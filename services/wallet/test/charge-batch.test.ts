import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { catalogue, type EventName } from '@tutoring/shared/events/catalogue';
import type { Charge, ChargeVerdict } from '../src/charges/charge.ts';
import { chargeMany, chargeOne } from '../src/charges/charge-store.ts';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;
let nextUser = 1000;
let nextCall = 0;
const call = () => `call${(nextCall += 1)}`;

beforeAll(async () => {
  wallet = await startWallet();
});
afterAll(() => wallet.stop());

async function pair(money: number): Promise<{ student: number; teacher: number }> {
  const [student, teacher] = [(nextUser += 1), (nextUser += 1)];
  await wallet.topUp(student, money);
  return { student, teacher };
}

describe('a batch of charges', () => {
  const asCharge = (input: Partial<Charge> & Pick<Charge, 'studentId' | 'teacherId'>, id = call()): Charge => ({
    reference: `call:${id}:step:1`,
    hold: `call:${id}`,
    amount: 100,
    commissionPercent: 10,
    nextAmount: 50,
    identifier: id,
    callType: 'audio',
    context: '{"requestId":"batch"}',
    ...input,
  });
  const manager = () => wallet.service.service.database.manager;

  /** Refused, repeated, conflicting, released, expired and plain charges, each with its own people. */
  async function everyKind(): Promise<Charge[]> {
    const charges: Charge[] = [];
    for (const kind of [
      'plain',
      'poor',
      'repeated',
      'taken',
      'held',
      'released',
      'expired',
      'last',
      'tight',
    ] as const) {
      const { student: studentId, teacher: teacherId } = await pair(kind === 'tight' ? 120 : 1000);
      const charge = asCharge({ studentId, teacherId });
      if (kind === 'poor') charge.amount = 1001;
      if (kind === 'repeated') await chargeOne(manager(), charge, 'XOF');
      if (kind === 'taken') charge.hold = charges[0]!.hold.replace(/\d+$/, '') + 'taken';
      if (kind === 'taken') await wallet.hold(charge.hold.slice(5), (await pair(100)).student, 10);
      if (['held', 'released', 'expired', 'last'].includes(kind)) await wallet.hold(charge.identifier, studentId, 70);
      if (kind === 'released') await wallet.release(charge.identifier);
      if (kind === 'expired')
        await wallet.service.rows(`select end_hold($1, 'expired', null, 'XOF', '{}')`, [charge.hold]);
      if (kind === 'last') charge.nextAmount = 0;
      charges.push(charge);
    }
    return charges;
  }

  /** What a set of charges left behind, without names and ids. */
  async function traces(charges: Charge[]) {
    const rows = async (charge: Charge) => ({
      student: await wallet.balance(charge.studentId),
      teacher: await wallet.balance(charge.teacherId),
      hold: await wallet.service.rows('select amount, state, version from hold where reference = $1', [charge.hold]),
      transfers: await wallet.service.rows('select kind, amount from transfer where reference = $1 order by id', [
        charge.reference,
      ]),
      payments: await wallet.service.rows(
        'select type, direction, amount, status, details from payment where source = $1 order by id',
        [`call:${charge.identifier}`],
      ),
      events: await wallet.service.rows(
        `select name, aggregate_version, data - array['id', 'user_id', 'reference', 'debit_account', 'credit_account',
           'created_at', 'expires_at'] as data
         from outbox where aggregate_id in ($1, $2, 'user.' || $1 || '.' || $1, 'user.' || $2 || '.' || $2, $3) or data ->> 'reference' = $4
         order by name, data::text`,
        [String(charge.studentId), String(charge.teacherId), charge.hold, charge.reference],
      ),
    });
    return Promise.all(charges.map(rows));
  }

  test('does to everybody what charging one by one does', async () => {
    const [together, alone] = [await everyKind(), await everyKind()];
    const one: ChargeVerdict[] = [];
    for (const charge of alone) one.push(await chargeOne(manager(), charge, 'XOF'));
    const many = await chargeMany(manager(), together, 'XOF');
    expect(many).toEqual(one);
    expect(many.map(({ verdict }) => verdict)).toEqual([
      ...['done', 'refused', 'repeated', 'conflict', 'done', 'done', 'done', 'done', 'done'],
    ]);
    expect(await traces(together)).toEqual(await traces(alone));
  });

  test('pays a teacher of several calls once for each, and tells him the end', async () => {
    const { teacher: teacherId } = await pair(100);
    const students = await Promise.all(Array.from({ length: 5 }, () => pair(1000)));
    const charges = students.map(({ student: studentId }) => asCharge({ studentId, teacherId }));
    await chargeMany(manager(), charges, 'XOF');
    expect((await wallet.balance(teacherId)).balance).toBe(450);
    const told = (await wallet.service.published('balance.changed')).filter(({ user_id }) => user_id === teacherId);
    expect(told).toEqual([expect.objectContaining({ balance: 450, version: 1 })]);
  });

  test('beside single charges of the same people never ends in a deadlock', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => pair(1_000_000)));
    const teachers = people.map(({ teacher }) => teacher);
    const any = (offset: number) => teachers[(offset * 7 + offset) % teachers.length]!;
    const charges = (round: number) =>
      people.map(({ student: studentId }, index) => asCharge({ studentId, teacherId: any(round + index), amount: 1 }));
    const worker = async (round: number) => {
      for (let turn = 0; turn < 25; turn += 1) {
        const batch = charges(round + turn);
        const verdicts = round % 2 ? await chargeMany(manager(), batch, 'XOF') : undefined;
        for (const [index, charge] of batch.entries())
          if (!verdicts || verdicts[index]?.verdict === 'busy') await chargeOne(manager(), charge, 'XOF');
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, round) => worker(round)));
    const paid = await Promise.all(teachers.map(async (teacher) => (await wallet.balance(teacher)).balance));
    expect(paid.reduce((sum, balance) => sum + balance, 0)).toBe(8 * 25 * 4);
  });

  test('waits for nobody: whose account is locked elsewhere is left out', async () => {
    const [free, taken] = [await pair(1000), await pair(1000)];
    const charges = [free, taken].map(({ student, teacher }) => asCharge({ studentId: student, teacherId: teacher }));
    await chargeMany(manager(), charges, 'XOF');
    const next = charges.map((charge) => ({ ...charge, reference: charge.reference.replace(/1$/, '2') }));
    await manager().transaction(async (tx) => {
      await tx.query('select from account where user_id = $1 for update', [taken.student]);
      // Neither does the opening of an account, a teacher's first one.
      const fresh = asCharge({ studentId: (await pair(1000)).student, teacherId: (nextUser += 1) });
      const verdicts = await chargeMany(manager(), [...next, fresh], 'XOF');
      expect(verdicts.map(({ verdict }) => verdict)).toEqual(['done', 'busy', 'done']);
    });
    expect((await wallet.balance(taken.teacher)).balance).toBe(90);
  });

  test('refuses one in which somebody pays twice, or pays and is paid', async () => {
    const { student: studentId, teacher: teacherId } = await pair(1000);
    const twice = [asCharge({ studentId, teacherId }), asCharge({ studentId, teacherId })];
    const both = [asCharge({ studentId, teacherId }), asCharge({ studentId: teacherId, teacherId: 5 })];
    await expect(chargeMany(manager(), twice, 'XOF')).rejects.toThrow('somebody pays twice');
    await expect(chargeMany(manager(), both, 'XOF')).rejects.toThrow('somebody pays twice');
  });
});

test('a charge tells the balances, and the hold only when its state changes', async () => {
  const [student, teacher, call] = [900_001, 900_002, 'quiet'];
  await wallet.topUp(student, 1000);
  await wallet.hold(call, student, 100);
  const toldBy = async (step: number, next: number) => {
    const [before] = await wallet.service.rows<{ id: number }>('select max(id) as id from outbox');
    await wallet.charge({ call, step, student, teacher, amount: 100, next });
    const told = await wallet.service.rows<{ name: string }>('select name from outbox where id > $1', [before!.id]);
    return told.map(({ name }) => name).sort();
  };
  const balances = ['balance.changed', 'balance.changed', 'wallet.balance', 'wallet.balance'];
  expect(await toldBy(1, 100)).toEqual(balances);
  expect(await toldBy(2, 70)).toEqual(balances);
  expect(await toldBy(3, 0)).toEqual([...balances, 'hold.changed'].sort());
});

test('every event that SQL wrote fits the catalogue, and live events the contract', async () => {
  const told = await wallet.service.rows<{
    name: EventName;
    subject: string;
    aggregate_id: string;
    aggregate_version: number;
    data: Record<string, unknown>;
  }>(`select name, subject, aggregate_id, aggregate_version, data from outbox order by id`);
  const names = new Set<string>();
  for (const event of told) {
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
  expect([...names].sort()).toEqual([...['balance.changed', 'deposit.changed', 'hold.changed', 'wallet.balance']]);
});

test('versions of a balance rise with the outbox', async () => {
  const [wrong] = await wallet.service.rows<{ count: number }>(
    `select count(*) as count from (
       select aggregate_version <= lag(aggregate_version) over (partition by aggregate_id order by id) as falls
       from outbox where name = 'balance.changed'
     ) v where falls`,
  );
  expect(wrong?.count).toBe(0);
});
