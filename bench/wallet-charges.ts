import type { Charge } from '../services/wallet/src/charges/charge-step.ts';

/** Students have the ids 1 to `students`, and one call each; the ids of teachers follow. */
export interface People {
  students: number;
  teachers: number;
}

const random = (from: number, to: number) => from + Math.floor(Math.random() * (to - from + 1));

/** The next step of a random student's call: 50, of which a tenth is commission, and a hold of 50 for the next step. */
export function randomCharge({ students, teachers }: People): Charge {
  const student = random(1, students);
  const step = random(1, 999_999_999);
  return {
    reference: `call:b${student}:step:${step}`,
    hold: `call:b${student}`,
    student_id: student,
    teacher_id: students + (student % teachers) + 1,
    amount: 50,
    commission_percent: 10,
    next_amount: 50,
    call: { identifier: `b${student}`, call_type: 'video', step },
    context: {},
  };
}

/** All reads and writes of a charge, without its checks. */
const BARE_CHARGE = `
  create function bare_charge(student bigint, teacher bigint, nr bigint) returns void language plpgsql as $$
  declare
    call text := 'call:b' || student;
    step text := call || ':step:' || nr;
  begin
    perform from account where user_id in (student, teacher) order by user_id for no key update;
    perform from hold where reference = call;
    perform from transfer where reference = step and kind = 'call';
    update account set balance = balance - 50, version = version + 1, updated_at = app_now() where user_id = student;
    update account set balance = balance + 45, version = version + 1, updated_at = app_now() where user_id = teacher;
    update hold set amount = 50, version = version + 1, expires_at = app_now() + interval '600 s' where reference = call;
    insert into transfer (kind, reference, debit_account, credit_account, amount)
    values ('call', step, student, teacher, 50), ('commission', step, teacher, -1, 5);
    update payment set amount = amount + 50, updated_at = app_now() where source = call and user_id in (student, teacher);
    insert into outbox (subject, name, aggregate_id, aggregate_version, data, context)
    select kind || person, kind, person, 1, jsonb_build_object('user_id', person, 'balance', 1, 'held', 1, 'available', 1,
      'currency', 'XOF', 'version', 1), '{}'
    from unnest(array[student, teacher]) person, unnest(array['events.balance.changed', 'live.user.']) kind;
  end $$`;

/** The script with which pgbench runs `bare_charge`. */
export const chargeScript = ({ students, teachers }: People) => `
\\set student random(1, ${students})
\\set nr random(1, 999999999)
select bare_charge(:student, ${students} + mod(:student::bigint, ${teachers}) + 1, :nr);
`;

/** SQL that inserts balances, holds and payments: every student is in a call. */
export const seedPeople = ({ students, teachers }: People) => [
  BARE_CHARGE,
  `insert into account (user_id, balance) select n, 1000000000 from generate_series(1, ${students + teachers}) n`,
  `insert into hold (reference, user_id, amount, state) select 'call:b' || n, n, 0, 'open'
   from generate_series(1, ${students}) n`,
  // Plans prepared for an empty ledger would scan the whole table when it has grown.
  `insert into transfer (kind, reference, debit_account, credit_account, amount)
   select 'call', 'call:b' || n || ':step:0', n, ${students} + n % ${teachers} + 1, 50 from generate_series(1, ${students}) n`,
  `insert into payment (source, user_id, type, direction, amount, currency, status, ref, details)
   select 'call:b' || n, case side when 'out' then n else ${students} + n % ${teachers} + 1 end, 'call', side, 0, 'XOF',
     'success', 'b' || n, 'video call'
   from generate_series(1, ${students}) n, unnest(array['out', 'in']) side`,
];
