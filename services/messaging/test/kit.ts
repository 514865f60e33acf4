import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { EventData } from '@tutoring/shared/contract/events';
import { roomUuid } from '@tutoring/shared/contract/room-uuid';
import { jsonLines } from '@tutoring/shared/testing/lines';
import { startTestService, type ServiceOptions } from '@tutoring/shared/testing/service';
import { user } from '@tutoring/shared/testing/user';
import { eventually } from '@tutoring/shared/testing/wait';
import { defineMessaging, messaging } from '../src/app.ts';
import type { PushSender } from '../src/push/push.ts';

export const NAMESPACE = '5f0c7f3e-9a53-4d59-8a51-2f6c6f7d1b11';
export const AVATAR = 'http://public.test/api/assets/avatar.png';
export const uuidOf = (studentId: number, teacherId: number) => roomUuid(NAMESPACE, studentId, teacherId);

/** The text of a notification, the same in each language. */
export const sameTexts = (title: string, body: string) => ({ en: { title, body }, fr: { title, body } });

/** Data of a `call.changed` event. */
export const call = (
  studentId: number,
  teacherId: number,
  changes: Partial<EventData<'call.changed'>> = {},
): EventData<'call.changed'> => ({
  identifier: `call-${studentId}-${teacherId}`,
  state: 'ringing',
  call_type: 'video',
  channel: uuidOf(studentId, teacherId),
  student_id: studentId,
  teacher_id: teacherId,
  steps: 0,
  total_cost: 0,
  total_duration: null,
  created_at: new Date().toISOString(),
  ring_expires_at: new Date(Date.now() + 45_000).toISOString(),
  accepted_at: null,
  ended_at: null,
  version: 1,
  ...changes,
});

/** Starts a fake of another service: 404 for paths not in `answers`. `mostOpen`: the maximum of concurrent requests. */
export async function startFakeService(answers: Record<string, unknown>) {
  const asked: string[] = [];
  const state = { away: false, slowMs: 0, open: 0, mostOpen: 0 };
  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = req.url ?? '';
    asked.push(path);
    state.open += 1;
    state.mostOpen = Math.max(state.mostOpen, state.open);
    if (state.slowMs > 0) await setTimeout(state.slowMs);
    state.open -= 1;
    const body = state.away ? undefined : answers[path];
    res.writeHead(state.away ? 503 : body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    res.end(JSON.stringify(body ?? { code: 'not_found', message: 'Not found.' }));
  }
  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    asked,
    state,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export async function startMessaging(
  env: Record<string, string> = {},
  pushSender?: PushSender,
  options: ServiceOptions = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-test-'));
  const mailbox = join(folder, 'outbox.jsonl');
  const service = await startTestService(pushSender ? defineMessaging(() => pushSender) : messaging, {
    ...options,
    env: { ROOM_NAMESPACE: NAMESPACE, MAILBOX_FILE: mailbox, ...env },
  });
  const meet = async (...people: EventData<'user.changed'>[]) => {
    for (const person of people) await service.receive('user.changed', person);
  };
  return {
    service,
    mailbox,
    meet,
    /** Creates a student, a teacher and their room. */
    pair: async (studentId: number, teacherId: number) => {
      await meet(user(studentId, 'student'), user(teacherId, 'teacher'));
      const opened = await service.api.student(studentId).post('/api/rooms', { teacher_id: teacherId });
      return {
        uuid: opened.body.uuid as string,
        student: service.api.student(studentId),
        teacher: service.api.teacher(teacherId),
      };
    },
    /** The notifications in the mailbox file so far. */
    pushes: () =>
      jsonLines<{ to: string; subject: string; text: string; channel: string; at: string; ttl: number }>(mailbox),
    stop: async () => {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Messaging = Awaited<ReturnType<typeof startMessaging>>;

/**
 * Does the second work while the first one waits for a lock of the table, and lets them continue in this order. The
 * first work is a 503 when the second one begins to wait more than two seconds later.
 */
export async function queued<Answer>(
  { lockUntil, asOwner }: Pick<Messaging['service'], 'lockUntil' | 'asOwner'>,
  table: string,
  [first, second]: [() => Promise<Answer>, () => Promise<unknown>],
): Promise<Answer> {
  // Those who wait for the lock, and those who wait for them.
  const waiting = `with w as (select distinct pid, pg_blocking_pids(pid) as by from pg_locks where not granted)
    select count(*) from w where pg_backend_pid() = any(by)
      or exists (select from w other where pg_backend_pid() = any(other.by) and other.pid = any(w.by))`;
  const { released } = await lockUntil(`lock table ${table} in share mode`, {
    until: `(${waiting}) >= 2 or clock_timestamp() > now() + interval '10 seconds'`,
  });
  const answer = first();
  const begun = `select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`;
  await eventually('the first one waits', async () => (await asOwner(begun)).length > 0);
  await Promise.all([second(), released]);
  return answer;
}
