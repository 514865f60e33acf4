import { rows } from '@tutoring/shared/kit/database/sql';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;

beforeAll(async () => {
  wallet = await startWallet();
});
afterAll(() => wallet.stop());

describe('a charge', () => {
  test.each([
    ['nothing at 0 %', 0, 100, 0],
    ['7 of 100 at 7 %', 7, 93, 7],
    ['everything at 100 %', 100, 0, 100],
  ])('pays the platform %s', async (_name, percent, ofTeacher, ofPlatform) => {
    const { student, teacher } = await wallet.pair(500);
    const id = wallet.newCall();
    await wallet.charge({ call: id, step: 1, student, teacher, amount: 100, percent });
    expect((await wallet.balance(teacher)).balance).toBe(ofTeacher);
    const [commission] = await wallet.service.rows<{ amount: number }>(
      `select amount from transfer where kind = 'commission' and reference = $1`,
      [`call:${id}:step:1`],
    );
    expect(commission?.amount ?? 0).toBe(ofPlatform);
  });

  test('takes no commission below one unit', async () => {
    const { student, teacher } = await wallet.pair(500);
    await wallet.charge({ call: wallet.newCall(), step: 1, student, teacher, amount: 9, percent: 10 });
    expect((await wallet.balance(teacher)).balance).toBe(9);
  });

  test('uses its hold first, then available money, and never other holds', async () => {
    const { student, teacher } = await wallet.pair(200);
    const [first, second] = [wallet.newCall(), wallet.newCall()];
    await wallet.hold(first, student, 50);
    await wallet.hold(second, student, 100);
    const refused = await wallet.charge({ call: first, step: 1, student, teacher, amount: 101 });
    expect(refused.status).toBe(402);
    const paid = await wallet.charge({ call: first, step: 1, student, teacher, amount: 100 });
    expect(paid.body).toEqual({ charged: 100, reserved: 0, available: 0 });
    expect(await wallet.balance(student)).toEqual({ balance: 100, held: 100, available: 0 });
  });

  test('reserves the next step only if it is affordable', async () => {
    const { student, teacher } = await wallet.pair(150);
    const id = wallet.newCall();
    await wallet.hold(id, student, 100);
    const first = await wallet.charge({ call: id, step: 1, student, teacher, amount: 100, next: 60 });
    expect(first.body).toEqual({ charged: 100, reserved: 0, available: 50 });
    await wallet.topUp(student, 100);
    const second = await wallet.charge({ call: id, step: 2, student, teacher, amount: 60, next: 60 });
    expect(second.body).toEqual({ charged: 60, reserved: 60, available: 30 });
  });

  test('returns the first amount and the current reserve and balance when it is repeated', async () => {
    const { student, teacher } = await wallet.pair(300);
    const id = wallet.newCall();
    const step = { call: id, step: 1, student, teacher, amount: 100, next: 50 };
    await wallet.charge(step);
    await wallet.release(id);
    expect((await wallet.charge({ ...step, amount: 7 })).body).toEqual({ charged: 100, reserved: 0, available: 200 });
    expect((await wallet.balance(teacher)).balance).toBe(100);
  });

  test("is a 409 with another student's reference or hold", async () => {
    const [one, other] = [await wallet.pair(300), await wallet.pair(300)];
    const id = wallet.newCall();
    await wallet.charge({ call: id, step: 1, ...one, amount: 100, next: 50 });
    expect((await wallet.charge({ call: id, step: 1, ...other, amount: 100 })).status).toBe(409);
    expect((await wallet.charge({ call: id, step: 2, ...other, amount: 100 })).status).toBe(409);
  });

  test('is paid by one of twelve students who use one reference at the same time', async () => {
    const students = await Promise.all(Array.from({ length: 12 }, () => wallet.pair(300)));
    const id = wallet.newCall();
    const answers = await Promise.all(
      students.map((people) => wallet.charge({ call: id, step: 1, ...people, amount: 100, next: 50 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...students.slice(1).map(() => 409)]);
  });

  test('is made once for 50 concurrent requests with the same reference', async () => {
    const { student, teacher } = await wallet.pair(1000);
    const id = wallet.newCall();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => wallet.charge({ call: id, step: 1, student, teacher, amount: 100, next: 100 })),
    );
    expect(answers.every(({ status, body }) => status === 200 && body.charged === 100)).toBe(true);
    expect(await wallet.balance(student)).toEqual({ balance: 900, held: 100, available: 800 });
    expect((await wallet.balance(teacher)).balance).toBe(100);
  });
});

describe('charges of several calls', () => {
  const chargeOf = (
    { student, teacher }: { student: number; teacher: number },
    id = wallet.newCall(),
    amount = 100,
  ) => ({
    reference: `call:${id}:step:1`,
    hold: `call:${id}`,
    student_id: student,
    teacher_id: teacher,
    amount,
    commission_percent: 10,
    next_amount: 50,
    call: { identifier: id, call_type: 'video', step: 1 },
    context: { requestId: `bill-of-${id}` },
  });
  const post = (charges: unknown[]) => wallet.service.api.service('calls').post('/internal/charges/batch', { charges });

  /** Retries as the service calls does, until only `bad` fails: a charge slower than half a second fails, too. */
  const allBut = (bad: object, charges: object[]) =>
    eventually('the others are charged', async () => {
      const { body } = await post(charges);
      const failed = charges.filter((_charge, index) => body[index].verdict === 'failed');
      return failed.every((charge) => charge === bad) && body.map(({ verdict }: { verdict: string }) => verdict);
    });
  const paid = expect.stringMatching(/^(done|repeated)$/);
  /** Repeats the request until no charge was slower than half a second. */
  const inTime = <Sent extends { charges: object[] }>(send: () => Promise<Sent>) =>
    eventually('all charges are in time', async () => {
      const { charges, ...more } = await send();
      const { status, body } = await post(charges);
      return body.every(({ verdict }: { verdict: string }) => verdict !== 'failed') && { status, body, ...more };
    });

  test('get one verdict each, in order', async () => {
    const [poor, other] = [await wallet.pair(100), await wallet.pair(300)];
    const { one, first, body } = await inTime(async () => {
      const one = await wallet.pair(300);
      const first = chargeOf(one);
      return { one, first, charges: [first] };
    });
    expect(body).toEqual([{ verdict: 'done', charged: 100, reserved: 50, available: 150, hold_seconds: 600 }]);
    const charges = [first, chargeOf(poor, wallet.newCall(), 101), chargeOf(other, first.call.identifier)];
    const answer = await inTime(async () => ({ charges }));
    expect([answer.status, answer.body]).toEqual([
      200,
      [
        { verdict: 'repeated', charged: 100, reserved: 50, available: 150 },
        { verdict: 'refused', charged: 0, reserved: 0, available: 100 },
        { verdict: 'conflict', charged: 0, reserved: expect.any(Number), available: 300 },
      ],
    ]);
    expect((await wallet.balance(one.teacher)).balance).toBe(90);
  });

  test('give the events of each charge the context of its own request', async () => {
    const [one, two] = [chargeOf(await wallet.pair(300)), chargeOf(await wallet.pair(300))];
    await allBut({}, [one, two]);
    const contexts = await wallet.service.rows<{ from: string }>(
      `select distinct context ->> 'requestId' as from from outbox
       where name = 'balance.changed' and data ->> 'user_id' in ($1, $2) order by 1`,
      [one.teacher_id, two.teacher_id],
    );
    expect(contexts.map(({ from }) => from)).toEqual([one.context.requestId, two.context.requestId].sort());
  });

  test('are not affected by a charge that fails in the database, which is charged once when it is retried', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => wallet.pair(300)));
    const charges = people.map((two) => chargeOf(two));
    const bad = charges[2]!;
    await wallet.service.asOwner(
      `create function break_one() returns trigger language plpgsql as $$
       begin
         if new.reference = '${bad.reference}' then raise exception 'broken'; end if;
         return new;
       end $$;
       create trigger break_one before insert on transfer for each row execute function break_one()`,
    );
    expect(await allBut(bad, charges)).toEqual([paid, paid, 'failed', paid, paid]);
    await wallet.service.asOwner('drop trigger break_one on transfer; drop function break_one()');
    expect(await allBut({}, charges)).toEqual(['repeated', 'repeated', paid, 'repeated', 'repeated']);
    for (const { teacher } of people) expect((await wallet.balance(teacher)).balance).toBe(90);
  });

  test('are not delayed by a charge whose account another transaction locks', async () => {
    const [taken, ...free] = await Promise.all(Array.from({ length: 5 }, () => wallet.pair(300)));
    const charges = [taken!, ...free].map((two) => chargeOf(two));
    const { database } = wallet.service.service;
    await database.transact(async (tx) => {
      await rows(tx, 'select from account where user_id = $1 for update', [taken!.student]);
      expect(await allBut(charges[0]!, charges)).toEqual(['failed', paid, paid, paid, paid]);
    });
    expect(await allBut({}, charges)).toEqual([paid, 'repeated', 'repeated', 'repeated', 'repeated']);
    expect((await wallet.balance(taken!.student)).balance).toBe(200);
  });

  test.each([
    ['the same teacher and student', { teacher_id: 1 }, 'teacher_id'],
    ['an amount of 0', { amount: 0 }, 'amount'],
    ['a commission above 100 %', { commission_percent: 101 }, 'commission_percent'],
    ['a malformed reference', { reference: 'step:1' }, 'reference'],
    ['the reference of another call', { reference: 'call:y:step:1' }, 'reference'],
    ['the reference of another step', { reference: 'call:x:step:2' }, 'reference'],
    [
      'a step above 999999999',
      { reference: 'call:x:step:1000000000', call: { identifier: 'x', call_type: 'video', step: 1e9 } },
      'reference',
    ],
    ['the hold of another call', { hold: 'call:y' }, 'hold'],
  ])('are a 422 with %s', async (_name, change, field) => {
    const answer = await post([{ ...chargeOf({ student: 1, teacher: 2 }, 'x'), ...change }]);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [`charges.0.${field}`]]);
  });

  test('are all refused with a 422 that names the invalid one', async () => {
    const [good, bad] = [await wallet.pair(300), await wallet.pair(300)];
    const answer = await post([chargeOf(good), { ...chargeOf(bad), amount: 0 }]);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['charges.1.amount']]);
    expect((await wallet.balance(good.teacher)).balance).toBe(0);
    expect((await post([])).status).toBe(422);
  });
});
