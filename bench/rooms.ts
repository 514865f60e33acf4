import { openDatabase } from '@tutoring/shared/database/open';
import { createLogger } from '@tutoring/shared/process/logger';
import { countUnread } from '../services/messaging/src/unread/unread-store.ts';
import { milliseconds, percentile, tokenOf, withStand, type Stand } from './messaging/stand.ts';

/* Teachers (even ids) of few and of many rooms, every one of which has unread messages. */
const TEACHERS = { few: { id: 2, rooms: 200 }, many: { id: 4, rooms: 5_000 } };
const OTHERS = 100_000;
const REQUESTS = 60;

async function seed(stand: Stand): Promise<void> {
  await stand.sql(
    `insert into user_copy (id, version, platform, status, deleted, name, email, phone_number, photo, address, city, country,
       about_me, subjects_interest, domains, experience, availability, created_at, updated_at)
     select n, 1, case when n % 2 = 0 then 'teacher' else 'student' end, 'active', false, 'Person ' || n, 'p' || n || '@x.test',
       '', '', '', '', '', '', '', '{Maths}', 1, '', now(), now() from generate_series(1, 12000) n`,
  );
  await stand.sql(
    `insert into room (uuid, student_id, teacher_id, created_at, updated_at)
     select gen_random_uuid(), 2 * g + 1, teacher, at, at from (
       select g % 5000 as g, 10 + 2 * (g / 5000) as teacher from generate_series(0, $1::int - 1) g
       union all select g, $2 from generate_series(1, $3::int) g
       union all select g, $4 from generate_series(1, $5::int) g
     ) as one, lateral (select now() - g * 7919 % 10007 * interval '1 minute' as at) as moment
     order by md5(g::text || teacher)`,
    [OTHERS, TEACHERS.few.id, TEACHERS.few.rooms, TEACHERS.many.id, TEACHERS.many.rooms],
  );
  await stand.sql(
    `insert into message (room_uuid, sender_id, message, type, created_at)
     select uuid, student_id, 'Hello', 'message', updated_at from room, generate_series(1, 3)`,
  );
  await stand.sql(
    `update room set student_last_id = last.id, teacher_unread = 3
     from (select room_uuid, max(id) as id from message group by 1) as last where room_uuid = uuid`,
  );
  await stand.sql('vacuum analyze');
}

/** Milliseconds of the median. */
async function median(work: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let turn = 0; turn < REQUESTS; turn += 1) {
    const began = performance.now();
    await work();
    took.push(performance.now() - began);
  }
  return percentile(took, 0.5);
}

/** `npm run bench -- rooms`: the room list, a page in its middle and the badge, of people with 200 and 5,000 rooms. */
export const run = (): Promise<void> =>
  withStand(async (stand) => {
    await seed(stand);
    const messaging = await stand.start('services/messaging/src/main.ts');
    const gateway = await stand.start('gateway/src/main.ts', { MESSAGING_URL: messaging.url });
    const logger = createLogger('bench', 'silent');
    const database = await openDatabase({ url: stand.url, name: 'bench', pool: 1, logger });
    const get =
      (id: number, query = '') =>
      async () => {
        const answer = await fetch(`${gateway.url}/api/rooms${query}`, {
          headers: { authorization: `Bearer ${tokenOf(id)}` },
        });
        if (!answer.ok) throw new Error(`rooms: ${answer.status}`);
        return answer.text();
      };
    const took: Record<string, number[]> = {};
    for (const { id, rooms } of Object.values(TEACHERS)) {
      const shown = await get(id)();
      const { data } = JSON.parse(shown) as { data: { uuid: string }[] };
      const works = {
        'the list': get(id),
        'fifty from its middle': get(id, `?before=${data[100]!.uuid}&limit=50`),
        'the badge': () => countUnread(database.manager, id),
      };
      console.log(`  ${rooms} rooms: ${data.length} shown, ${shown.length} bytes`);
      for (const [name, work] of Object.entries(works)) (took[name] ??= []).push(await median(work));
    }
    for (const [name, [few = 0, many = 0]] of Object.entries(took))
      console.log(`  ${name}: p50 ${milliseconds(few)} and ${milliseconds(many)}, ratio ${(many / few).toFixed(2)}`);
    await database.close();
  });
