import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import { adminToken, as, data, register, sandboxEvent, type Person } from '../../test/journeys/people.ts';
import type { System } from '../../test/journeys/system.ts';
import { allowSmallWithdrawals, book, lesson, review, setForWallet, topUp } from './lessons.ts';

/* Sample data of a small marketplace, for screenshots of the dashboard. */

export interface Sample {
  student: Person;
  teacher: Person;
  /** The call of a lesson between the two. */
  call: string;
  deposit: number;
  dispute: number;
  refund: number;
  withdrawal: number;
  /** An exported batch of payouts. */
  batch: number;
  report: number;
  /** A day on which the teacher has a booked lesson. */
  lessonDay: string;
  /** A support room with messages from both sides. */
  room: string;
}

/** Writes two months of statistics into the databases, then creates today's data over HTTP. */
export async function fillWithSample(system: System): Promise<Sample> {
  await writeHistory(system);
  const students: Person[] = [];
  for (const name of ['Awa Diallo', 'Mariam Traore', 'Yao Amegah', 'Fatou Ndiaye', 'Kwame Boateng'])
    students.push(await register(system, 'student', name));
  const teachers: Person[] = [];
  for (const name of ['Kossi Mensah', 'Afi Lawson', 'Ibrahim Sanogo'])
    teachers.push(await register(system, 'teacher', name));
  const [student, teacher] = [students[0]!, teachers[0]!];
  const deposits: number[] = [];
  for (const [index, person] of students.entries()) deposits.push(await topUp(system, person, 5_000 + 2_500 * index));
  data(await as(system, students[1]!.token).post('api/deposits', { amount: 20_000, method: 'card' }));
  const call = await lesson(system, student, teacher);
  const second = await lesson(system, students[1]!, teachers[1]!);
  const third = await lesson(system, students[2]!, teachers[2]!);
  await review(system, student, call, 5, 'He explains with patience, and my marks are better already.');
  await review(system, students[1]!, second, 4, '');
  const insult = await review(system, students[2]!, third, 1, 'He is a thief!');

  const su = as(system, await adminToken(system));
  data(await su.put(`api/admin/users/${teacher.id}`, { verified: true }));
  data(await su.put(`api/admin/reviews/${insult.id}`, { hidden: true, reason: 'It insults the teacher.' }));
  const booked = await book(system, student, teacher, 2, 'Quadratic equations');
  data(await as(system, teacher.token).post(`api/bookings/${booked.id}/confirm`));
  await book(system, students[1]!, teacher, 2, 'Preparing the examination of Friday');
  await book(system, students[3]!, teacher, 3);
  await allowSmallWithdrawals(system);
  const withdrawal = await withdraw(system, teacher, 100);
  await withdraw(system, teachers[1]!, 40);
  const batch = await payOut(system, teachers);
  const complaint = { user_id: teachers[2]!.id, reason: 'fraud', details: 'He asked me to pay outside of the app.' };
  const { id: report } = data<{ id: number }>(await as(system, students[2]!.token).post('api/reports', complaint));
  const room = await askForSupport(system, students, teachers);
  return {
    student,
    teacher,
    call,
    deposit: deposits[0]!,
    ...(await moneyBack(system, students[4]!, deposits[4]!)),
    withdrawal,
    batch,
    report,
    room,
    lessonDay: booked.starts_at.slice(0, 10),
  };
}

/** Retries until the wallet has the lower minimum withdrawal. */
async function withdraw(system: System, teacher: Person, amount: number): Promise<number> {
  const body = { amount, method: 'mobile_money', account: '+22890445566' };
  const answer = await eventually('a withdrawal', async () => {
    const response = await as(system, teacher.token).post('api/withdrawals', body);
    return response.status === 200 && response;
  });
  return data<{ id: number }>(answer).id;
}

/** A batch of payouts with results: most are paid, one failed, one is uncertain. Returns its id. */
async function payOut(system: System, teachers: Person[]): Promise<number> {
  const ids: number[] = [];
  for (const [of, amount] of [
    [1, 45],
    [1, 30],
    [2, 60],
    [2, 25],
    [2, 20],
  ] as const)
    ids.push(await withdraw(system, teachers[of]!, amount));
  const token = await adminToken(system);
  const su = as(system, token);
  const body = { withdrawal_ids: ids, format: 'csv', note: 'Week 48' };
  const { id } = data<{ id: number }>(await su.post('api/admin/payout-batches', body));
  const path = `api/admin/payout-batches/${id}`;
  for (const step of ['approve', 'export']) data(await su.post(`${path}/${step}`));
  const said = ['paid', 'paid', 'paid', 'failed', 'uncertain'];
  const lines = ids.map((withdrawal, index) => `W${withdrawal}-${id},${said[index]},BANK-${index + 71}`);
  const form = new FormData();
  form.set('file', new Blob([['reference,status,provider_ref', ...lines].join('\n')]), 'results.csv');
  const headers = { authorization: `Bearer ${token}` };
  const read = await fetch(`${system.url}/${path}/results`, { method: 'POST', headers, body: form });
  const { import_id } = data<{ import_id: number }>({ status: read.status, body: await read.json() });
  data(await su.post(`${path}/results/${import_id}/apply`));
  return id;
}

/** A refund that the student requests, then a dispute of another deposit, and one that fits nothing. */
async function moneyBack(
  system: System,
  student: Person,
  deposit: number,
): Promise<Pick<Sample, 'dispute' | 'refund'>> {
  await setForWallet(system, 'deposit_refunds', 1);
  const body = { amount: 2_000, reason: 'I move abroad.' };
  const asked = await as(system, student.token).post(`api/deposits/${deposit}/refunds`, body);
  const other = await topUp(system, student, 6_000);
  const opened = { type: 'dispute.opened', deposit_id: other };
  for (const event of [
    { ...opened, id: 'sample-1', dispute_id: 'dp_sample', amount: 6_000 },
    { ...opened, id: 'sample-2', dispute_id: 'dp_larger', amount: 60_000 },
  ])
    await retryWhile503(() => sandboxEvent(system, event));
  const su = as(system, await adminToken(system));
  const { data: disputes } = data<{ data: { id: number }[] }>(await su.post('api/admin/disputesall', {}));
  return { refund: data<{ id: number }>(asked).id, dispute: disputes[0]!.id };
}

async function askForSupport(system: System, students: Person[], teachers: Person[]): Promise<string> {
  const write = async (person: Person, message: string) =>
    data(await as(system, person.token).post('api/support/messages', { message }));
  const su = as(system, await adminToken(system));
  await write(teachers[1]!, 'When is my withdrawal paid?');
  await write(students[3]!, 'Can I change my e-mail address?');
  await write(students[0]!, 'Hello! I paid with my card this morning, but I do not see the money yet.');
  const [newest] = data<{ uuid: string }[]>(await su.get('api/admin/rooms?limit=1'));
  const reply = async (message: string) => data(await su.post(`api/admin/rooms/${newest!.uuid}/messages`, { message }));
  await reply('Good morning Awa. Your bank confirmed it a minute ago: 5,000 francs are on your balance.');
  await write(students[0]!, 'I see them now, thank you! Can I have a receipt?');
  await reply('Of course. It is under Deposits in the app; you can share it from there.');
  const { data: cases } = data<{ data: { id: number }[] }>(
    await su.post('api/admin/desk/casesall', { user_id: students[0]!.id }),
  );
  const path = `api/admin/desk/cases/${cases[0]!.id}`;
  data(await su.put(path, { labels: ['payment'] }));
  data(await su.post(`${path}/notes`, { text: 'Her bank was slow again: the third time this week.' }));
  await write(students[0]!, 'Found it. Have a nice day!');
  await write(students[4]!, 'My teacher did not come to the lesson. Do I get my money back?');
  return newest!.uuid;
}

/** Statistics of the last 60 days before today: quiet weekends, and slow growth from week to week. */
async function writeHistory(system: System): Promise<void> {
  const days = `select current_date - ago as day, (case when extract(isodow from current_date - ago) > 5 then 0.6 else 1 end)
    * (1 + (60 - ago) / 60.0) * (1 + (ago * 7 % 5) / 10.0) as busy from generate_series(1, 60) as ago`;
  // Only tallies, without accounts and calls: no list shows them.
  await system.sql(
    'identity',
    `insert into account_tally (bucket, status, platform, verified, deleted, created_at, rows, amount, settled)
     select 0, 'active', platform, false, true, day, round(share * busy), 0, false
     from (${days}) d, (values ('student', 6), ('teacher', 2)) as kinds (platform, share)`,
  );
  await system.sql(
    'calls',
    `insert into call_tally (bucket, state, call_type, created_at, accepted_at, rows, amount, settled)
     select -1, 'ended', 'video', day, day, round(20 * busy), round(20 * busy) * 1980, false from (${days}) d`,
  );
  await system.sql(
    'calls',
    `insert into booking_tally (bucket, status, created_at, rows, amount, settled)
     select -1, status, day, round(share * busy), 0, false
     from (${days}) d, (values ('done', 14), ('missed', 1)) as kinds (status, share)`,
  );
  await system.sql(
    'calls',
    `insert into review_tally (bucket, hidden, rating, created_at, rows, amount, settled)
     select -1, false, rating, day, round(share * busy), 0, false
     from (${days}) d, (values (5, 6), (4, 3), (2, 1)) as kinds (rating, share)`,
  );
  await system.sql(
    'messaging',
    `insert into message_tally (created_at, rows, amount, settled) select day, round(210 * busy), 0, false from (${days}) d`,
  );
  await system.sql(
    'wallet',
    `insert into ledger_day (day, kind, count, amount, first_id, last_id)
     select day, kind, 20, round(share * busy) * 100, -ago_id, -ago_id
     from (select *, row_number() over (order by day desc) as ago_id from (${days}) d) d,
       (values ('deposit', 1650), ('withdrawal', 900), ('call', 1320), ('commission', 200)) as kinds (kind, share)`,
  );
}
