import type { TestResponse } from '@tutoring/shared/testing/client';
import { startTestService, type ServiceOptions, type TestService } from '@tutoring/shared/testing/service';
import { user } from '@tutoring/shared/testing/user';
import { wallet } from '../src/app.ts';
import { signSandbox } from '../src/providers/sandbox/sandbox.ts';

export const SECRET = 'sandbox-secret-of-the-tests';

const STATUS = { done: 200, repeated: 200, refused: 402, conflict: 409 };

export interface ChargeInput {
  call: string;
  step: number;
  student: number;
  teacher: number;
  amount: number;
  percent?: number;
  next?: number;
}

/** Starts the wallet on its own database, with the common steps of the tests. */
export async function startWallet(env: Record<string, string> = {}, options: ServiceOptions = {}) {
  const service: TestService = await startTestService(wallet, {
    ...options,
    env: { SANDBOX_WEBHOOK_SECRET: SECRET, ...env },
  });
  let events = 0;
  let users = 1_000;
  let calls = 0;

  const webhook = (body: Record<string, unknown>, options: { secret?: string; at?: number } = {}) => {
    const raw = JSON.stringify(body);
    const signature = signSandbox(options.secret ?? SECRET, raw, options.at ?? Date.now());
    return service.api.anonymous.post('/api/webhooks/payments/sandbox', raw, { 'x-signature': signature });
  };
  const newUser = () => (users += 1);
  const newCall = () => `call${(calls += 1)}`;
  const provider = (deposit: number, type: 'succeeded' | 'failed' | 'canceled', id?: string) =>
    webhook({ id: id ?? `evt-${(events += 1)}`, type: `deposit.${type}`, deposit_id: deposit });

  /** Makes a paid deposit of a student; returns its id. */
  async function topUp(student: number, amount: number): Promise<number> {
    const created = await service.api.student(student).post('/api/deposits', { amount });
    if (created.status !== 200) throw new Error(created.text);
    await provider(created.body.id, 'succeeded');
    return created.body.id;
  }
  /** A student with `money` and a teacher. */
  async function pair(money: number): Promise<{ student: number; teacher: number }> {
    const [student, teacher] = [newUser(), newUser()];
    await topUp(student, money);
    return { student, teacher };
  }
  /** Charges one step like the service calls: retries while the outcome is unknown. Maps the verdict to a status. */
  async function charge({
    call,
    step,
    student,
    teacher,
    amount,
    percent = 0,
    next = 0,
  }: ChargeInput): Promise<TestResponse> {
    const charge = {
      reference: `call:${call}:step:${step}`,
      hold: `call:${call}`,
      student_id: student,
      teacher_id: teacher,
      amount,
      commission_percent: percent,
      next_amount: next,
      call: { identifier: call, call_type: 'video', step },
    };
    for (;;) {
      const answer = await service.api.service('calls').post('/internal/charges/batch', { charges: [charge] });
      if (answer.status !== 200) return answer;
      const { verdict, hold_seconds: _, ...body } = answer.body[0];
      if (verdict !== 'failed') return { ...answer, status: STATUS[verdict as keyof typeof STATUS], body };
    }
  }
  return {
    service,
    webhook,
    provider,
    newUser,
    newCall,
    topUp,
    pair,
    charge,
    /** A teacher who has earned `amount`. */
    async teacherWith(amount: number): Promise<number> {
      const { student, teacher } = await pair(Math.max(amount, 100));
      await charge({ call: newCall(), step: 1, student, teacher, amount });
      return teacher;
    },
    hold: (call: string, user: number, amount: number) =>
      service.api.service('calls').post('/internal/holds', { reference: `call:${call}`, user_id: user, amount }),
    release: (call: string) =>
      service.api.service('calls').post('/internal/holds/release', { reference: `call:${call}` }),
    withdraw: (teacher: number, amount: number, headers: Record<string, string> = {}) =>
      service.api.teacher(teacher).post('/api/withdrawals', { amount, method: 'bank', account: 'SN-1' }, headers),
    /** Ages the idempotency keys of killed processes, so that a retry may take them over. */
    forgetClaims: () =>
      service.asOwner(
        `update idempotency_key set created_at = created_at - interval '31 seconds' where status is null`,
      ),
    async balance(user: number): Promise<{ balance: number; held: number; available: number }> {
      const { body } = await service.api.service('calls').get(`/internal/balances/${user}`);
      return { balance: body.balance, held: body.held, available: body.available };
    },
    /** Delivers `user.changed`, as identity publishes it. */
    tellUser: (id: number, change: Parameters<typeof user>[2] = {}) =>
      service.receive('user.changed', user(id, 'student', change)),
    stop: () => service.stop(),
  };
}

export type Wallet = Awaited<ReturnType<typeof startWallet>>;
