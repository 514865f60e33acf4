import type { EventData } from '@tutoring/shared/contract/events';
import { measureFromNow } from '@tutoring/shared/testing/elapsed';
import { startTestService, type ServiceOptions } from '@tutoring/shared/testing/service';
import { user } from '@tutoring/shared/testing/user';
import { retryWhile503 } from '@tutoring/shared/testing/wait';
import { calls } from '../src/app.ts';
import { startIdentity, startWallet } from './stand-ins.ts';

const AT = '2026-01-02T03:04:05.000006Z';

export const CALLS_ENV = {
  ROOM_NAMESPACE: '5b0c6a4e-5a0e-4b1e-9a7e-6d5b1f0c2a11',
  CALENDAR_KEYS: 'test:0123456789abcdef0123456789abcdef',
  AGORA_APP_ID: '0123456789abcdef0123456789abcdef',
  AGORA_APP_CERTIFICATE: 'fedcba9876543210fedcba9876543210',
};

export const person: typeof user = (id, platform, changes) =>
  user(id, platform, {
    name: `${platform} ${id}`,
    photo: 'http://public.test/api/assets/avatar.png',
    ...changes,
  });

export const PLAN: EventData<'plan.changed'> = {
  id: 1,
  name: 'Basic',
  points: 10,
  image_cost: 5,
  deleted: false,
  created_at: AT,
  updated_at: AT,
  version: 1,
};

export interface Party {
  student: number;
  teacher: number;
}

/** Starts the calls service with stand-ins for wallet and identity. */
export async function startScene(env: Record<string, string> = {}, options: ServiceOptions = {}) {
  const wallet = await startWallet();
  const identity = await startIdentity();
  const service = await startTestService(calls, {
    ...options,
    env: { ...CALLS_ENV, WALLET_URL: wallet.url, IDENTITY_URL: identity.url, ...env },
  });
  identity.addRecord('/internal/plans/1', PLAN);
  let lastId = 100;

  /** A new student and teacher; `money` is the student's balance. */
  function party(money = 10_000): Party {
    const student = (lastId += 1);
    const teacher = (lastId += 1);
    identity.addRecord(`/internal/users/${student}`, person(student, 'student'));
    identity.addRecord(`/internal/users/${teacher}`, person(teacher, 'teacher'));
    wallet.deposit(student, money);
    return { student, teacher };
  }

  const init = ({ student, teacher }: Party, call_type = 'video') =>
    service.api.student(student).post('/api/call/init', { teacher_user_id: teacher, call_type });
  const accept = ({ student, teacher }: Party, call_type = 'video') =>
    service.api.teacher(teacher).post('/api/call/accept', { student_user_id: student, call_type });
  const cancel = ({ student, teacher }: Party) =>
    service.api.student(student).post('/api/call/cancel', { teacher_user_id: teacher });
  const reject = ({ student, teacher }: Party) =>
    service.api.teacher(teacher).post('/api/call/reject', { student_user_id: student });
  const bill = ({ teacher }: Pick<Party, 'teacher'>, identifier: string) =>
    service.api.teacher(teacher).post('/api/call/bill', { identifier });
  const alive = ({ student }: Pick<Party, 'student'>, identifier: string) =>
    service.api.student(student).post('/api/call/alive', { identifier });
  const end = (who: 'student' | 'teacher', party: Party, identifier: string, room_uuid: string) =>
    service.api[who](party[who]).post('/api/call/end', { identifier, room_uuid });

  return {
    service,
    wallet,
    identity,
    party,
    init,
    accept,
    cancel,
    reject,
    bill,
    alive,
    end,
    /** Rings the teacher and accepts the call; `lasted` makes matchers of its duration. */
    async begin(parties: Party, call_type = 'video') {
      const rung = await retryWhile503(() => init(parties, call_type));
      if (rung.status !== 200) throw new Error(`init: ${rung.text}`);
      const lasted = measureFromNow();
      const accepted = await retryWhile503(() => accept(parties, call_type));
      if (accepted.status !== 200) throw new Error(`accept: ${accepted.text}`);
      const identifier = accepted.body.transaction.identifier as string;
      return { identifier, channel: accepted.body.channel as string, lasted };
    },
    /** The call's row in the database. */
    async row(identifier: string) {
      const [found] = await service.rows<Record<string, unknown>>('select * from call where identifier = $1', [
        identifier,
      ]);
      return found!;
    },
    /** Ends the lease and the backoff of a call, so that the job settles it at once. */
    resume: (identifier: string) =>
      service.asOwner(
        `with freed as (
           update call set leased_until = clock_timestamp(), retry_at = clock_timestamp() where identifier = $1 returning id)
         update call_deadline set open_at = clock_timestamp() from freed where call_id = id and open_at is not null`,
        [identifier],
      ),
    async stop() {
      await service.stop();
      await Promise.all([wallet.stop(), identity.stop()]);
    },
  };
}

export type Scene = Awaited<ReturnType<typeof startScene>>;
