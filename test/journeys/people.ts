import { createHmac } from 'node:crypto';
import { retryWhile503 } from '@tutoring/shared/testing/wait';
import type { GatewayName, System } from './system.ts';

export interface Person {
  id: number;
  name: string;
  email: string;
  phone: string;
  password: string;
  token: string;
}

/** The `data` of a success. Throws an error with the whole body for any other response. */
export function data<T>(answer: { status: number; body: unknown }): T {
  const body = answer.body as { success: boolean; data: T };
  if (answer.status !== 200 || body.success !== true)
    throw new Error(`the request was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
  return body.data;
}

/** Sends requests with a user's token. */
export const as = (system: System, token: string, through: GatewayName = 'gateway') => ({
  get: (path: string) => system.request('GET', path, { token, through }),
  post: (path: string, body?: unknown) => system.request('POST', path, { token, body: body ?? {}, through }),
  put: (path: string, body?: unknown) => system.request('PUT', path, { token, body: body ?? {}, through }),
  delete: (path: string) => system.request('DELETE', path, { token, through }),
});

/** Registers a user, reads the code in the mailbox, verifies and logs in, like an app. */
export async function register(system: System, platform: 'student' | 'teacher', name: string): Promise<Person> {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`;
  const password = 'a long enough secret';
  const skills = data<{ id: number }[]>(await system.request('GET', 'api/skills'));
  const plans = data<{ id: number }[]>(await system.request('GET', 'api/plans'));
  const form = {
    name,
    email,
    phone_number: platform === 'student' ? '+22890112233' : '+22890445566',
    password,
    platform,
    gauth_type: 'email',
    domains: [skills[0]!.id, skills[1]!.id],
    ...(platform === 'teacher' && { plan: plans[0]!.id, experience: 4, bio: 'Teaches with patience' }),
  };
  data(await system.request('POST', 'api/auth/register', { body: form }));
  const code = await system.codeFor(email);
  data(
    await system.request('POST', 'api/auth/register/verify', {
      body: { email, phone_number: form.phone_number, code },
    }),
  );
  const login = data<{ token: string; user: { id: number } }>(
    await system.request('POST', 'api/auth/login', { body: { email, password, gauth_type: 'email', platform } }),
  );
  return { id: login.user.id, name, email, phone: form.phone_number, password, token: login.token };
}

export async function adminToken(system: System): Promise<string> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = system.secrets;
  return data<{ token: string }>(await system.request('POST', 'api/admin/auth/login', { body: { email, password } }))
    .token;
}

/** Opens the room of the two people. Returns its uuid. */
export async function openRoom(system: System, student: Person, teacher: Person): Promise<string> {
  const open = () => as(system, student.token).post('api/rooms', { teacher_id: teacher.id });
  return data<{ uuid: string }>(await retryWhile503(open)).uuid;
}

/** Delivers the sandbox provider's signed webhook that pays a deposit. */
export const payDeposit = (system: System, depositId: number, event = `evt-${depositId}`) =>
  sandboxEvent(system, { id: event, type: 'deposit.succeeded', deposit_id: depositId });

/** Delivers a signed webhook of the sandbox provider. */
export function sandboxEvent(
  system: System,
  event: { id: string; type: string; deposit_id: number; [more: string]: unknown },
) {
  const body = JSON.stringify(event);
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', system.secrets.SANDBOX_WEBHOOK_SECRET).update(`${time}.${body}`).digest('hex');
  return system.request('POST', 'api/webhooks/payments/sandbox', {
    body,
    headers: { 'content-type': 'application/json', 'x-signature': `t=${time},v1=${signature}` },
  });
}
