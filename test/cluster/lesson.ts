import { send } from '@tutoring/shared/testing/client';
import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import { adminToken, as, data, openRoom, payDeposit, register } from '../journeys/people.ts';
import { SECRETS, type System } from '../journeys/system.ts';
import type { Deployment } from './replicas.ts';

/** The deployment in the form that the helpers of the journeys need. */
export const systemOf = ({ url, codeFor }: Pick<Deployment, 'url' | 'codeFor'>) =>
  ({
    url,
    secrets: SECRETS,
    codeFor,
    request: (method, path, { token, body, headers } = {}) =>
      send(method, `${url}/${path}`, {
        body,
        headers: { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }), ...headers },
      }),
  }) as System;

/** Registers a student with money and a teacher, and starts a call between them. */
export async function startLesson(system: System) {
  const student = await register(system, 'student', 'Awa Diallo');
  const teacher = await register(system, 'teacher', 'Kossi Mensah');
  const admin = await adminToken(system);
  data(await as(system, admin).put(`api/admin/users/${teacher.id}`, { verified: true }));
  const deposit = data<{ id: number }>(await as(system, student.token).post('api/deposits', { amount: 100_000 }));
  await retryWhile503(() => payDeposit(system, deposit.id));
  const room = await openRoom(system, student, teacher);
  const rings = () =>
    as(system, student.token).post('api/call/init', { teacher_user_id: teacher.id, call_type: 'video' });
  await eventually('the call rings', async () => (await rings()).body?.success === true);
  const accept = () =>
    as(system, teacher.token).post('api/call/accept', { student_user_id: student.id, call_type: 'video' });
  const { data: accepted } = await eventually('the call is accepted', async () => {
    const { body } = await accept();
    return body?.success === true && (body as { data: { transaction: { identifier: string } } });
  });
  return { student, teacher, room, call: accepted.transaction.identifier };
}
