import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import { adminToken, as, data, openRoom, payDeposit, register, type Person } from '../../test/journeys/people.ts';
import type { System } from '../../test/journeys/system.ts';

/* Actions of students and teachers that tests of the dashboard need. */

/** Registers a student and a teacher. */
export const registerPair = async (system: System) => ({
  student: await register(system, 'student', 'Awa Diallo'),
  teacher: await register(system, 'teacher', 'Kossi Mensah'),
});

/** Makes a deposit and pays it with the sandbox. Returns its id. */
export async function topUp(system: System, person: Person, amount: number): Promise<number> {
  const { id } = data<{ id: number }>(await as(system, person.token).post('api/deposits', { amount, method: 'card' }));
  await retryWhile503(() => payDeposit(system, id));
  return id;
}

/** The price of one step of a video call. */
export const PRICE = 150;

/** Makes a video call of one step, and waits until it is settled. Returns its identifier. */
export async function lesson(system: System, student: Person, teacher: Person): Promise<string> {
  const [learner, tutor] = [as(system, student.token), as(system, teacher.token)];
  const uuid = await openRoom(system, student, teacher);
  data(await retryWhile503(() => learner.post('api/call/init', { teacher_user_id: teacher.id, call_type: 'video' })));
  const pickUp = { student_user_id: student.id, call_type: 'video' };
  const accepted = await retryWhile503(() => tutor.post('api/call/accept', pickUp));
  const { identifier } = data<{ transaction: { identifier: string } }>(accepted).transaction;
  data(await learner.post('api/call/end', { room_uuid: uuid, identifier }));
  await eventually('the call is settled', async () => {
    const call = data<{ total_cost: number }>(await learner.get(`api/calls/${identifier}`));
    return call.total_cost === PRICE;
  });
  return identifier;
}

/** Lowers the minimum withdrawal to 1, below what a lesson earns. */
export const allowSmallWithdrawals = (system: System) => setForWallet(system, 'min_withdrawal', 1);

/** Changes a setting, and waits until the wallet has the new value. */
export async function setForWallet(system: System, setting: string, value: number): Promise<void> {
  const su = as(system, await adminToken(system));
  const settings = data<{ data: { id: number; name: string }[] }>(
    await su.post('api/admin/settingsall', { pageItems: 50 }),
  );
  const { id } = settings.data.find(({ name }) => name === setting)!;
  data(await su.put(`api/admin/settings/${id}`, { value }));
  const query = `select from setting_copy where name = '${setting}' and value = ${value}`;
  await eventually('the wallet has the new setting', async () => (await system.sql('wallet', query)).length > 0);
}

const DAY_MS = 86_400_000;

/** Sets the teacher's hours, and books the first free slot `days` days from now for the student. */
export async function book(system: System, student: Person, teacher: Person, days: number, note = '') {
  const [learner, tutor] = [as(system, student.token), as(system, teacher.token)];
  const weekly = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '08:00', to: '18:00' }));
  const hours = { time_zone: 'Africa/Lome', slot_minutes: 60, min_notice_minutes: 0, weekly, exceptions: [] };
  data(await retryWhile503(() => tutor.put('api/me/availability', hours)));
  const day = new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  const free = await retryWhile503(() => learner.get(`api/teachers/${teacher.id}/slots?from=${day}&to=${day}`));
  const [slot] = data<{ starts_at: string }[]>(free);
  const wish = { teacher_id: teacher.id, starts_at: slot!.starts_at, minutes: 60, call_type: 'video', note };
  return data<{ id: number; starts_at: string }>(await learner.post('api/bookings', wish));
}

interface Act {
  action: string;
  after: Record<string, unknown> | null;
}

/**
 * Waits until the newest acts in the audit log fulfil the condition: identity writes them after the action, and the
 * page of the log does not follow them.
 */
export async function audited(system: System, what: string, is: (acts: Act[]) => boolean): Promise<void> {
  const su = as(system, await adminToken(system));
  await eventually(`the audit log has ${what}`, async () =>
    is(data<{ data: Act[] }>(await su.post('api/admin/auditall')).data),
  );
}

/** Posts the student's review of a call. */
export const review = async (system: System, student: Person, call: string, rating: number, comment: string) =>
  data<{ id: number }>(await as(system, student.token).post(`api/calls/${call}/review`, { rating, comment }));
