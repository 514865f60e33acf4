import { createHmac, randomUUID } from 'node:crypto';
import { eventually } from '@tutoring/shared/testing/wait';
import type { WholeStack } from './stack.ts';

const PASSWORD = 'a long enough secret';
const STEP_SECONDS = 60;

interface Person {
  id: number;
  email: string;
  token: string;
}

interface Pair {
  student: Person;
  teacher: Person;
  room: string;
  call: string;
}

/** Returns a function that sends a request, and throws unless the answer is a success. */
export function createApi(url: string) {
  return async <T>(method: string, path: string, { token, body }: { token?: string; body?: unknown } = {}) => {
    const response = await fetch(`${url}/${path}`, {
      method,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = JSON.parse(text) as { success: boolean; data: T };
    if (!answer.success) throw new Error(`${method} ${path}: ${text}`);
    return answer.data;
  };
}

/** Registers `pairs` of people; returns the kinds of work, of which each function performs one unit. */
export async function createWork(stack: WholeStack, pairs: number) {
  const api = createApi(stack.url);
  const skills = await api<{ id: number }[]>('GET', 'api/skills');
  const plans = await api<{ id: number }[]>('GET', 'api/plans');

  async function register(platform: 'student' | 'teacher', number: number): Promise<Person> {
    const email = `${platform}${number}@example.com`;
    const form = {
      name: `${platform} ${number}`,
      email,
      phone_number: `+228901${platform === 'student' ? 1 : 2}${String(number).padStart(4, '0')}`,
      password: PASSWORD,
      platform,
      gauth_type: 'email',
      domains: [skills[0]?.id],
      ...(platform === 'teacher' && { plan: plans[0]?.id, experience: 4, bio: 'Teaches' }),
    };
    await api('POST', 'api/auth/register', { body: form });
    const code = await stack.codeFor(email);
    await api('POST', 'api/auth/register/verify', { body: { email, phone_number: form.phone_number, code } });
    const { token, user } = await login(email, platform);
    return { id: user.id, email, token };
  }

  const login = (email: string, platform: string) =>
    api<{ token: string; user: { id: number } }>('POST', 'api/auth/login', {
      body: { email, password: PASSWORD, gauth_type: 'email', platform },
    });

  async function deposit({ token }: Person, amount: number): Promise<void> {
    const { id } = await api<{ id: number }>('POST', 'api/deposits', { token, body: { amount } });
    const body = JSON.stringify({ id: `evt-${id}`, type: 'deposit.succeeded', deposit_id: id });
    const time = Math.floor(Date.now() / 1000);
    const secret = stack.secrets['SANDBOX_WEBHOOK_SECRET'] ?? '';
    const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    const response = await fetch(`${stack.url}/api/webhooks/payments/sandbox`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-signature': `t=${time},v1=${signature}` },
      body,
    });
    if (response.status !== 200) throw new Error(`the payment: ${response.status} ${await response.text()}`);
  }

  async function meet(number: number, admin: string): Promise<Pair> {
    const student = await register('student', number);
    const teacher = await register('teacher', number);
    await api('PUT', `api/admin/users/${teacher.id}`, { token: admin, body: { verified: true } });
    await deposit(student, 1_000_000);
    const room = await api<{ uuid: string }>('POST', 'api/rooms', {
      token: student.token,
      body: { teacher_id: teacher.id },
    });
    const call = { call_type: 'video' };
    const ring = () =>
      api('POST', 'api/call/init', { token: student.token, body: { teacher_user_id: teacher.id, ...call } });
    // The service `calls` learns from an event that the teacher is verified.
    await eventually('the call rings', () =>
      ring().then(
        () => true,
        () => false,
      ),
    );
    const accepted = await api<{ transaction: { identifier: string } }>('POST', 'api/call/accept', {
      token: teacher.token,
      body: { student_user_id: student.id, ...call },
    });
    return { student, teacher, room: room.uuid, call: accepted.transaction.identifier };
  }

  const { token: admin } = await api<{ token: string }>('POST', 'api/admin/auth/login', {
    body: { email: 'admin@example.com', password: stack.secrets['ADMIN_PASSWORD'] },
  });
  const people: Pair[] = [];
  for (let number = 1; number <= pairs; number += 1) people.push(await meet(number, admin));
  const pairOf = (count: number) => people[count % people.length]!;
  let round = 0;

  return {
    request: (count: number) => api('GET', 'api/me', { token: pairOf(count).student.token }),
    /** Too many logins end the oldest of an account, so the newest token replaces the student's. */
    login: async (count: number) => {
      const { student } = pairOf(count);
      student.token = (await login(student.email, 'student')).token;
    },
    message: (count: number) => {
      const { student, room } = pairOf(count);
      return api('POST', `api/rooms/${room}/messages`, {
        token: student.token,
        body: { message: 'Shall we look at exercise three together?', type: 'message' },
      });
    },
    deposit: (count: number) => deposit(pairOf(count).student, 500),
    /** Charges one step; the clock of calls moves when every pair has been billed. */
    step: async (count: number) => {
      const { teacher, call } = pairOf(count);
      if (count % people.length === 0) {
        round += 1;
        const shift = `make_interval(secs => ${round * STEP_SECONDS})`;
        await stack.sql(
          'calls',
          `insert into app_clock (shift) values (${shift}) on conflict (only_row) do update set shift = excluded.shift`,
        );
      }
      await api('POST', 'api/call/bill', { token: teacher.token, body: { identifier: call } });
    },
  };
}

export type Kind = keyof Awaited<ReturnType<typeof createWork>>;
