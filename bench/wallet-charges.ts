import type { Charge } from '../services/wallet/src/charges/charge.ts';

/** Students are 1 to `students`, each in one call; teachers come after them. */
export interface People {
  students: number;
  teachers: number;
}

const random = (from: number, to: number) => from + Math.floor(Math.random() * (to - from + 1));

/** A new step of a random student's call: 50, a tenth of it commission, and 50 held for the next. */
export function anyCharge({ students, teachers }: People): Charge {
  const student = random(1, students);
  return {
    reference: `call:b${student}:step:${random(1, 999_999_999)}`,
    hold: `call:b${student}`,
    studentId: student,
    teacherId: students + (student % teachers) + 1,
    amount: 50,
    commissionPercent: 10,
    nextAmount: 50,
    identifier: `b${student}`,
    callType: 'video',
    context: '{}',
  };
}

/** The same for pgbench, which takes everything after a colon for a variable, even in quotes. */
export const chargeScript = ({ students, teachers }: People) => `
\\set student random(1, ${students})
\\set nr random(1, 999999999)
select verdict from charge_one(
  format('call%sb%s%sstep%s%s', chr(58), :student::bigint, chr(58), chr(58), :nr::bigint),
  format('call%sb%s', chr(58), :student::bigint), :student, ${students} + mod(:student::bigint, ${teachers}) + 1,
  50, 10, 50, 'b' || :student::bigint, 'video', 600, 'XOF', '{}');
`;

/** Money, holds and payments as they are in the middle of everybody's call. */
export const seedPeople = ({ students, teachers }: People) => [
  `insert into account (user_id, balance) select n, 1000000000 from generate_series(1, ${students + teachers}) n`,
  `insert into hold (reference, user_id, amount, state) select 'call:b' || n, n, 0, 'open'
   from generate_series(1, ${students}) n`,
  `insert into payment (source, user_id, type, direction, amount, currency, status, ref, details)
   select 'call:b' || n, case side when 'out' then n else ${students} + n % ${teachers} + 1 end, 'call', side, 0, 'XOF',
     'success', 'b' || n, 'video call'
   from generate_series(1, ${students}) n, unnest(array['out', 'in']) side`,
];
