/**
 * A lesson with its meter: `node example/lesson.ts <base url>`. Uses the student and the teacher of the README's tour:
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
    listening.abort();
  }
}
