import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { randomUUID } from 'node:crypto';
import { messaging } from '../services/messaging/src/app.ts';
import { wallet } from '../services/wallet/src/app.ts';
import { seedPeople } from './wallet-charges.ts';
import { ROOM_NAMESPACE } from './messaging/stand.ts';
import { benchAge } from './partitions/age.ts';
import { withPlace, type Place } from './partitions/place.ts';
import { trial, type Request } from './partitions/trial.ts';

const ROOMS = 20_000;
const PEOPLE = { students: 2_000, teachers: 400 };
const ANY = (count: number) => 1 + Math.floor(Math.random() * count);

const MESSAGES = (count: number) => [
  `insert into user_copy (id, version, platform, status, deleted, name, email, phone_number, photo, address, city, country,
     about_me, subjects_interest, domains, experience, availability, created_at, updated_at)
   select g + shift, 1, platform, 'active', false, 'Person ' || g, '', '', '', '', '', '', '', '', '{}', 1, '', now(), now()
   from generate_series(1, ${ROOMS}) g, (values ('student', 0), ('teacher', 1000000)) as side (platform, shift)`,
  `insert into balance_copy (user_id, version, available) select id, 1, 0 from user_copy`,
  `insert into room (uuid, student_id, teacher_id)
   select md5('r' || g)::uuid, g, g + 1000000 from generate_series(1, ${ROOMS}) g`,
  `insert into message (room_uuid, sender_id, message, type, client_message_id, created_at)
   select md5('r' || g % ${ROOMS} + 1)::uuid, g % ${ROOMS} + 1, repeat('x', 60), 'message', case when g % 2 = 0 then 'c' || g end,
     now() - interval '1 day' from generate_series(1, ${count}) g`,
  `update room set student_last_id = last.id, teacher_unread = last.messages
   from (select room_uuid, max(id) as id, count(*) as messages from message group by 1) as last where uuid = room_uuid`,
  `insert into unread_share (user_id, messages) select teacher_id, teacher_unread from room`,
  `update message_day_mark set up_to_id = ${count}`,
];

/** Everybody whose kept count differs from a count of the messages. */
const MISCOUNTED = `
  with counted as (
    select room.*, count(m.id) filter (where m.sender_id = teacher_id and m.id > student_read_id) as to_student,
      count(m.id) filter (where m.sender_id = student_id and m.id > teacher_read_id) as to_teacher
    from room left join message m on room_uuid = uuid group by uuid
  )
  select uuid from counted where student_unread <> to_student or teacher_unread <> to_teacher
    or to_teacher <> (select coalesce(sum(messages), 0) from unread_share where user_id = teacher_id)
    or to_student <> (select coalesce(sum(messages), 0) from unread_share where user_id = student_id)`;

/** Answers that people got: a message is in the table, once. */
async function assertStored({ asOwner }: Place, sent: Map<number, string>): Promise<void> {
  const stored = await asOwner(`select id, message from message where message like 'new %'`);
  const texts = new Map(stored.map((row) => [Number(row['id']), String(row['message'])]));
  for (const [id, text] of sent) if (texts.get(id) !== text) throw new Error(`message ${id} is lost`);
  if (stored.length !== sent.size) throw new Error(`${sent.size} were sent, ${stored.length} stored`);
  console.log(`  ${sent.size} messages sent meanwhile, each stored once; unread counts are right in ${ROOMS} rooms`);
}

/** Expects 200; a hot room may refuse to wait. */
async function answered(answer: Promise<{ status: number; text: string; body: Record<string, unknown> }>) {
  const { status, text, body } = await answer;
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body;
}

const messagesByRoom = (count: number) =>
  withPlace(
    messaging,
    {
      lacking: '1764000001670-messages-by-room.sql',
      seed: MESSAGES(count),
      env: { ROOM_NAMESPACE, MAILBOX_FILE: join(tmpdir(), 'bench-partitions.jsonl') },
    },
    async (place) => {
      const sent = new Map<number, string>();
      const rooms = new Map(
        (await place.asOwner(`select uuid, student_id from room`)).map((row) => [
          Number(row['student_id']),
          String(row['uuid']),
        ]),
      );
      const send = (keyed: boolean) => async () => {
        const student = ANY(ROOMS);
        const text = `new ${randomUUID()}`;
        const key: Record<string, string> = keyed ? { 'idempotency-key': randomUUID() } : {};
        const path = `/api/rooms/${rooms.get(student)!}/messages`;
        sent.set(Number((await answered(place.api.student(student).post(path, { message: text }, key)))['id']), text);
      };
      const asTeacher = (work: (teacher: number, path: string) => Promise<unknown>) => async () => {
        const student = ANY(ROOMS);
        await work(student + 1_000_000, `/api/rooms/${rooms.get(student)!}`);
      };
      const read = asTeacher((teacher, path) => answered(place.api.teacher(teacher).get(path)));
      const readAll = asTeacher((teacher, path) => answered(place.api.teacher(teacher).post(`${path}/read`, {})));
      const unread = asTeacher((teacher) => answered(place.api.teacher(teacher).get('/api/rooms/unread')));
      await trial(place, 'message', [send(false), send(false), send(true), read, read, readAll, unread]);
      const wrong = await place.asOwner(MISCOUNTED);
      if (wrong.length > 0) throw new Error(`${wrong.length} rooms are counted wrong`);
      await assertStored(place, sent);
    },
  );

const TRANSFERS = (count: number) => [
  // Everybody is in a call; what they have was deposited.
  ...seedPeople(PEOPLE).slice(1),
  `update account set balance = 1000000000`,
  'truncate transfer',
  `insert into transfer (kind, reference, debit_account, credit_account, amount)
   select 'deposit', 'deposit:' || user_id || ':1', -10, user_id, 1000000000 from account`,
  `insert into transfer (kind, reference, debit_account, credit_account, amount)
   select 'call', 'call:old' || g / 10 || ':step:' || g % 10, 1000000 + g % 10000, 2000000 + g % 1000, 50
   from generate_series(1, ${count}) g`,
];

/** Everybody whose balance is not the sum of the transfers. */
const UNBALANCED = `
  select user_id from account where balance <> (select coalesce(sum(amount), 0) from transfer where credit_account = user_id)
    - (select coalesce(sum(amount), 0) from transfer where debit_account = user_id)`;

const transfersByReference = (count: number) =>
  withPlace(
    wallet,
    {
      lacking: '1764000001660-transfers-by-reference.sql',
      seed: TRANSFERS(count),
      env: { SANDBOX_WEBHOOK_SECRET: '0123456789abcdef0123456789abcdef' },
    },
    async (place) => {
      let step = 0;
      const charged = new Set<string>();
      const { api } = place;
      const charge: Request = async () => {
        const student = ANY(PEOPLE.students);
        const reference = `call:b${student}:step:${(step += 1)}`;
        const body = {
          ...{ reference, hold: `call:b${student}`, student_id: student, amount: 50, commission_percent: 10 },
          ...{ teacher_id: PEOPLE.students + (student % PEOPLE.teachers) + 1, next_amount: 50 },
          call: { identifier: `b${student}`, call_type: 'video', step },
        };
        const first = await answered(api.service('calls').post('/internal/charges', body));
        charged.add(reference);
        // A repetition is answered as the first was, and charges nothing.
        const again = await answered(api.service('calls').post('/internal/charges', body));
        if (first['charged'] !== again['charged']) throw new Error(`${reference} was charged twice`);
      };
      const list: Request = async () => {
        await answered(api.student(ANY(PEOPLE.students)).get('/api/wallet/transactions'));
      };
      await trial(place, 'transfer', [charge, charge, charge, list, list]);
      const [posted] = await place.asOwner(
        `select count(*)::int as n from transfer where reference like 'call:b%' and kind = 'call'`,
      );
      if (posted!['n'] !== charged.size)
        throw new Error(`${charged.size} were charged, ${String(posted!['n'])} posted`);
      const wrong = await place.asOwner(UNBALANCED);
      if (wrong.length > 0) throw new Error(`${wrong.length} balances are not the sum of their transfers`);
      console.log(`  ${charged.size} charges meanwhile, each posted once; every balance is the sum of its transfers`);
    },
  );

const PARTS = { message: messagesByRoom, transfer: transfersByReference, age: (count: number) => benchAge(count / 20) };

/**
 * `npm run bench -- partitions [message | transfer | age] [rows]`: a table of so many rows (1,000,000) is partitioned
 * while requests write and read through the service. Fails when one of them does, or when a row, a count or a sum
 * differs. `age`: what it costs to remove old rows one by one.
 */
export async function run([name, rows = '1000000']: string[]): Promise<void> {
  const wanted = Object.entries(PARTS).filter(([part]) => name === undefined || part === name);
  for (const [part, work] of wanted) {
    console.log(`\n${part}: ${Number(rows).toLocaleString('en')} rows`);
    await work(Number(rows));
  }
}
