import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { adminToken, as, data, payDeposit, register, type Person } from './people.ts';
import { startSystem, type System } from './system.ts';

let system: System;
let student: Person;
let teacher: Person;
beforeAll(async () => {
  system = await startSystem();
  student = await register(system, 'student', 'Awa Diallo');
  teacher = await register(system, 'teacher', 'Kossi Mensah');
  const deposit = data<{ id: number }>(await as(system, student.token).post('api/deposits', { amount: 1000 }));
  await payDeposit(system, deposit.id);
});
afterAll(() => system.stop());

test('a block stops a ringing call and applies in every service until it is lifted', async () => {
  const [awa, kossi] = [as(system, student.token), as(system, teacher.token)];
  const init = () => awa.post('api/call/init', { teacher_user_id: teacher.id, call_type: 'audio' });
  const { uuid } = data<{ uuid: string }>(await awa.post('api/rooms', { teacher_id: teacher.id }));
  const write = () => kossi.post(`api/rooms/${uuid}/messages`, { message: 'Bonjour' });
  const [listener, admins] = [await system.listen(student.token), await system.listen(await adminToken(system))];
  await eventually('it rings', async () => (await init()).body.statusCode === 200);

  data(await kossi.put(`api/blocks/${student.id}`));
  expect((await write()).body).toMatchObject({ statusCode: 409, message: 'You cannot write to this person.' });
  await eventually('it rings no more', () => listener.events.some(({ event }) => event === 'call.rejected'));
  expect((await init()).body).toMatchObject({ statusCode: 409, message: 'The teacher is already in a call.' });
  const [call] = data<{ identifier: string }[]>(await awa.get('api/calls'));
  const about = { user_id: teacher.id, reason: 'abuse', room_uuid: uuid, identifier: call!.identifier };
  const report = data<{ id: number }>(await awa.post('api/reports', about));
  await eventually('administrators hear it', () =>
    admins.events.some(({ event, data: told }) => event === 'report.created' && told['id'] === report.id),
  );

  data(await kossi.delete(`api/blocks/${student.id}`));
  data(await write());
  expect(data(await awa.get('api/rooms/unread'))).toEqual({
    total: 1,
    support: 0,
    rooms: [{ room_uuid: uuid, unread: 1 }],
  });
  await eventually('it rings again', async () => (await init()).body.statusCode === 200);
  listener.close();
  admins.close();
});
