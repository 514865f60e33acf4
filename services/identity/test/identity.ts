import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdminCaller, UserCaller } from '@tutoring/shared/kit/identity/auth';
import { jsonLines } from '@tutoring/shared/testing/lines';
import { startTestService, type ServiceOptions } from '@tutoring/shared/testing/service';
import { eventually } from '@tutoring/shared/testing/wait';
import { identity } from '../src/app.ts';
import { phoneKey } from '../src/users/phone.ts';

export interface Mail {
  at: string;
  channel: 'email' | 'sms';
  to: string;
  subject: string;
  text: string;
  code?: string;
}

export const SUPER = { email: 'ada@example.com', password: 'correct horse battery' };
export const PASSWORD = 'a good password';

/** Letters alone: a search for an id finds nothing in them. */
export const unique = () =>
  randomBytes(5)
    .toString('hex')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!);

/** The whole service with a mailbox that the test reads, and shortcuts for common steps. */
export async function startIdentity(env: Record<string, string> = {}, more: ServiceOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'identity-test-'));
  const mailbox = join(folder, 'outbox.jsonl');
  const service = await startTestService(identity, {
    env: {
      MAILBOX_FILE: mailbox,
      CODE_KEYS: 'test:0123456789abcdef0123456789abcdef',
      TOTP_KEYS: 'totp:0123456789abcdef0123456789abcdef',
      ADMIN_EMAIL: SUPER.email,
      ADMIN_PASSWORD: SUPER.password,
      SEND_LIMIT_FACTOR: '1000',
      ARGON2_MEMORY_KIB: '64',
      ARGON2_PASSES: '1',
      ...env,
    },
    ...more,
  });

  const mails = () => jsonLines<Mail>(mailbox);
  const mailsTo = async (to: string) => (await mails()).filter((mail) => mail.to === to);

  /** The newest code to an address; waits for the `count`-th code. */
  const codeTo = async (to: string, count = 1): Promise<string> =>
    eventually(`code ${count} to ${to}`, async () => {
      const codes = (await mailsTo(to)).flatMap((mail) => mail.code ?? []);
      return codes.length >= count ? codes.at(-1) : undefined;
    });

  const submission = (fields: Record<string, unknown> = {}) => ({
    name: 'Awa Koné',
    email: `awa-${unique()}@example.com`,
    phone_number: '+2250701020304',
    password: PASSWORD,
    platform: 'student',
    gauth_type: 'email',
    domains: [1, 2],
    ...(fields['platform'] === 'teacher' && { plan: 1 }),
    ...fields,
  });

  const anonymous = () => service.api.anonymous;

  /** A registered and verified user, with a client of their own. */
  async function user(fields: Record<string, unknown> = {}) {
    const body = submission(fields);
    const { email, phone_number } = body as { email: string; phone_number: string };
    const to = body.gauth_type === 'phone_number' ? phoneKey(phone_number, 'CI')! : email;
    const before = (await mailsTo(to)).length;
    const registered = await anonymous().post('/api/auth/register', body);
    if (registered.status !== 200) throw new Error(`not registered: ${registered.text}`);
    const code = await codeTo(to, before + 1);
    const verified = await anonymous().post('/api/auth/register/verify', { email, phone_number, code });
    if (verified.status !== 200) throw new Error(`not verified: ${verified.text}`);
    const id: number = verified.body.user.id;
    const token: string = verified.body.token;
    const { platform } = body as { platform: 'student' | 'teacher' };
    const caller: UserCaller = { kind: 'user', id, platform, tokenId: Number(token.split('|')[0]) };
    return {
      id,
      email,
      phone_number,
      password: PASSWORD,
      token,
      caller,
      view: verified.body.user,
      get api() {
        return service.api.as(caller);
      },
    };
  }

  /** The first super administrator, logged in. */
  async function su() {
    const answer = await anonymous().post('/api/admin/auth/login', SUPER);
    const { id, name, level } = answer.body.admin as { id: number; name: string; level: string };
    const tokenId = Number(String(answer.body.token).split('|')[0]);
    const caller: AdminCaller = { kind: 'admin', id, name, level, tokenId };
    return {
      id,
      token: answer.body.token as string,
      caller,
      get api() {
        return service.api.as(caller);
      },
    };
  }

  /** An administrator of the default level, created by the first one and logged in. */
  async function admin() {
    const body = {
      name: 'Bob',
      email: `bob-${unique()}@example.com`,
      password: PASSWORD,
      phone_number: '+2250700000000',
    };
    const created = await (await su()).api.post('/api/admin/admins', body);
    const answer = await anonymous().post('/api/admin/auth/login', body);
    const { id, name, level } = answer.body.admin as { id: number; name: string; level: string };
    const token = answer.body.token as string;
    const caller: AdminCaller = { kind: 'admin', id, name, level, tokenId: Number(token.split('|')[0]) };
    return { ...body, id, token, created, view: answer.body.admin, api: service.api.as(caller) };
  }

  const verifyToken = (token: string) => service.api.service('gateway').post('/internal/tokens/verify', { token });
  const login = (email: string, password: string = PASSWORD, more: object = {}) =>
    anonymous().post('/api/auth/login', { email, password, ...more });

  return Object.assign(service, {
    mailbox,
    mails,
    mailsTo,
    codeTo,
    submission,
    user,
    su,
    admin,
    verifyToken,
    login,
    end: async () => {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

export type TestIdentity = Awaited<ReturnType<typeof startIdentity>>;
