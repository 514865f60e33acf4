/**
 * A lesson that is booked, its meter, and its review: `node example/lesson.ts <base url>`. Uses the student and the teacher of the README's tour:
 * both are registered and verified, and the student has money.
 */
import { createTutoringClient, payload } from '../src/client.ts';

const [baseUrl = 'http://127.0.0.1:8080'] = process.argv.slice(2);

async function logIn(email: string, password: string, platform: 'student' | 'teacher') {
  const session: { token?: string } = {};
  const api = createTutoringClient({ baseUrl, token: () => session.token });
  const body = { email, password, gauth_type: 'email', platform } as const;
  const { token, user } = payload(await api.POST('/api/auth/login', { body }));
  session.token = token;
  return { api, user };
}

const student = await logIn('awa@example.com', 'a good secret', 'student');
const teacher = await logIn('kossi@example.com', 'another secret', 'teacher');
console.log(`${student.user.name} has ${student.user.solde} to spend.`);

const HOUR = { from: '08:00', to: '20:00' };
const everyDay = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, ...HOUR }));
const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 10);

/** The teacher says when; the student takes the first free hour of tomorrow, and the teacher agrees. */
async function book(): Promise<void> {
  const hours = { time_zone: 'Africa/Lome', slot_minutes: 60, min_notice_minutes: 0, exceptions: [] };
  payload(await teacher.api.PUT('/api/me/availability', { body: { ...hours, weekly: everyDay } }));
  const params = { path: { id: String(teacher.user.id) }, query: { from: tomorrow, to: tomorrow } };
  const [slot] = payload(await student.api.GET('/api/teachers/{id}/slots', { params }));
  if (!slot) throw new Error('no hour is free');
  const body = { teacher_id: teacher.user.id, starts_at: slot.starts_at, minutes: 60, call_type: 'audio' } as const;
  const { id } = payload(await student.api.POST('/api/bookings', { body }));
  const one = { params: { path: { id: String(id) } } };
  const { status, teacher_name: name } = payload(await teacher.api.POST('/api/bookings/{id}/confirm', one));
  console.log(`The lesson with ${name} tomorrow is ${status}.`);
}
await book();

/** What the student says of the lesson: the teacher's rating follows. */
async function review(): Promise<void> {
  const [call] = payload(await student.api.GET('/api/calls', { params: { query: { limit: 1 } } }));
  if (!call) throw new Error('no call');
  const params = { path: { identifier: call.identifier } };
  const body = { rating: 5, comment: 'He explains well.' };
  const made = payload(await student.api.POST('/api/calls/{identifier}/review', { params, body }));
  payload(
    await student.api.PUT('/api/favourites/{teacher_id}', {
      params: { path: { teacher_id: String(teacher.user.id) } },
    }),
  );
  console.log(`${student.user.name} gives ${made.rating} stars, and marks ${teacher.user.name} as a favourite.`);
}

/** The teacher's app accepts the call and has the first step billed; apps bill again whenever a step is due. */
async function teach(): Promise<void> {
  const body = { student_user_id: student.user.id, call_type: 'audio' } as const;
  const { transaction } = payload(await teacher.api.POST('/api/call/accept', { body }));
  payload(await teacher.api.POST('/api/call/bill', { body: { identifier: transaction.identifier } }));
}

/** The student's app rings as soon as its event stream is open, and shows the cost. */
const ring = async () => {
  const body = { teacher_user_id: teacher.user.id, call_type: 'audio' } as const;
  const { channel } = payload(await student.api.POST('/api/call/init', { body }));
  console.log(`${teacher.user.name} hears it ring on channel ${channel}.`);
  await teach();
};

const listening = new AbortController();
let rung: Promise<void> | undefined;
const onOpen = () => void (rung ??= ring());
for await (const { event, data } of student.api.events({ signal: listening.signal, onOpen })) {
  if (event === 'call.accepted') console.log(`${teacher.user.name} is there: the meter runs.`);
  if (event === 'call.metered') {
    console.log(`Step ${data.steps} is charged: ${data.total_cost} so far.`);
    await rung;
    const [call] = payload(await student.api.GET('/api/calls', { params: { query: { limit: 1 } } }));
    if (!call) throw new Error('no call');
    const body = { identifier: call.identifier, room_uuid: call.channel };
    payload(await student.api.POST('/api/call/end', { body }));
  }
  if (event === 'call.settled') {
    console.log(`The lesson took ${data.total_duration} s and cost ${data.total_cost}.`);
    await review();
    listening.abort();
  }
}
