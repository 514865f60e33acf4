import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { user } from '@tutoring/shared/testing/user';
import { startDesk, type Desk, type ShownCase } from './desk-kit.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

const idsOf = async (body: object): Promise<number[]> =>
  (await desk.ada.post('/api/admin/desk/casesall', { pageItems: 100, ...body })).body.data.map(
    ({ id }: ShownCase) => id,
  );

describe('rooms without a case', () => {
  const MIGRATION = new URL('../migrations/1796200000002-desk-backfill.sql', import.meta.url);

  /** Messages as a replica of the previous release stores them. */
  async function write(uuid: string, texts: { text: string; byStaff: boolean }[]) {
    for (const { text, byStaff } of texts)
      await desk.service.asOwner(
        `with m as (insert into support_message (room_uuid, sender_id, by_staff, message, type, created_at)
           values ($1, 7, $2, $3, 'message', app_now()) returning id, created_at)
         update support_room set ${byStaff ? 'staff' : 'user'}_last_id = m.id, last_message_at = m.created_at,
           updated_at = m.created_at from m where uuid = $1`,
        [uuid, byStaff, text],
      );
  }
  /** The room of a person as that release leaves it. */
  async function oldRoom({ id }: { id: number }, texts: { text: string; byStaff: boolean }[]) {
    const [room] = await desk.service.asOwner('insert into support_room (user_id) values ($1) returning uuid', [id]);
    const uuid = String(room!['uuid']);
    await write(uuid, texts);
    return { id, uuid };
  }
  const theirs = (text: string) => ({ text, byStaff: false });
  const ours = { text: 'Answer', byStaff: true };
  const people = (count: number) => Promise.all(Array.from({ length: count }, () => desk.person()));
  /** Nobody can open cases of these people, not even the upkeep that runs beside the test. */
  const refuseCases = (of: { id: number }[]) =>
    desk.service.asOwner(
      `create or replace function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
       create trigger refuse before insert on support_case for each row
         when (new.user_id in (${of.map(({ id }) => id).join()})) execute function refuse()`,
    );
  const ALLOW_CASES = 'drop trigger if exists refuse on support_case';
  afterEach(() => desk.service.asOwner(ALLOW_CASES));

  test('whose last message is of the person get an open case by the migration', async () => {
    const all = await people(3);
    await refuseCases(all);
    const waiting = await oldRoom(all[0]!, [theirs('old'), ours, theirs('q'.repeat(200)), theirs('second')]);
    const answered = await oldRoom(all[1]!, [theirs('old'), ours]);
    const deleted = await oldRoom(all[2]!, [theirs('gone')]);
    await desk.messaging.meet(user(deleted.id, 'student', { deleted: true, version: 2 }));
    const sql = await readFile(MIGRATION, 'utf8');
    const statement = sql.replace(
      'where r.user_last_id >',
      `where r.user_id in (${waiting.id}, ${answered.id}, ${deleted.id}) and r.user_last_id >`,
    );
    await desk.service.asOwner(`${ALLOW_CASES}; ${statement}`);
    // It can run again, also after a case was resolved.
    await desk.service.asOwner(statement);
    const [backfilled, ...more] = await desk.casesOf(waiting.id);
    expect(more).toEqual([]);
    await desk.ada.put(`/api/admin/desk/cases/${backfilled!.id}`, { labels: ['old'] });
    await desk.service.asOwner(statement);
    expect(await desk.casesOf(answered.id)).toEqual([]);
    expect(await idsOf({ user_id: deleted.id })).toEqual([]);
    const [found] = await desk.casesOf(waiting.id);
    expect(found).toMatchObject({ state: 'open', subject: 'q'.repeat(120), version: 2, assignee: null, reopened: 0 });
    const { body } = await desk.ada.get(`/api/admin/rooms/${waiting.uuid}`);
    expect(found!['waiting_since']).toBe(body.messages[2].created_at);
    const detail = (await desk.ada.get(`/api/admin/desk/cases/${found!.id}`)).body;
    expect(detail.timeline).toMatchObject([{ event: 'opened', by: null }, { event: 'labels' }]);
  });

  test('get one when a replica of the previous release has received a message', async () => {
    const missed = await oldRoom(await desk.person(), [theirs('hello?'), theirs('anybody?')]);
    await desk.service.runJob('upkeep');
    await desk.service.runJob('upkeep');
    expect(await desk.casesOf(missed.id)).toMatchObject([{ state: 'open', subject: 'hello?' }]);
    const [{ id }] = (await desk.casesOf(missed.id)) as [ShownCase];
    await desk.ada.put(`/api/admin/desk/cases/${id}`, { state: 'resolved' });
    await desk.service.runJob('upkeep');
    expect(await desk.casesOf(missed.id)).toMatchObject([{ state: 'resolved' }]);
    await write(missed.uuid, [theirs('once more'), theirs('please')]);
    await desk.service.runJob('upkeep');
    const { messages } = (await desk.ada.get(`/api/admin/rooms/${missed.uuid}`)).body;
    expect(await desk.casesOf(missed.id)).toMatchObject([
      { state: 'open', reopened: 1, waiting_since: messages[2].created_at },
    ]);
  });

  test('get one after a rollback of days, although the case of another room cannot be opened', async () => {
    const [one, other] = await people(2);
    await refuseCases([one!]);
    const [broken, late] = [await oldRoom(one!, [theirs('broken')]), await oldRoom(other!, [theirs('late')])];
    for (const { uuid, days } of [
      { ...broken, days: 12 },
      { ...late, days: 10 },
    ])
      await desk.service.asOwner(
        `update support_room set updated_at = updated_at - interval '${days} days' where uuid = $1`,
        [uuid],
      );
    await expect(desk.service.runJob('upkeep')).rejects.toThrow('refused');
    expect(await desk.casesOf(late.id)).toMatchObject([{ state: 'open', subject: 'late' }]);
  });
});
