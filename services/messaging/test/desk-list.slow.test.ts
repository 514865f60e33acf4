import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { vacuum } from '@tutoring/shared/testing/plans';
import { scaled } from '@tutoring/shared/testing/scale';
import { startDesk, type Desk } from './desk-kit.ts';

/* The list of the desk with 100,000 cases and a million messages: the goal is a median below 50 ms. */

const CASES = scaled(100_000, 100_000);
const PER_ROOM = 10;
/** A busy machine needs eight minutes to fill the tables. */
const FILLS_MS = 1_800_000;

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
  const { service } = desk;
  await service.asOwner(`
    insert into user_copy (id, version, platform, status, deleted, name, email, phone_number, photo, address, city, country,
      about_me, subjects_interest, domains, experience, availability, created_at, updated_at)
    select g, 1, 'student', 'active', false,
      (array['Awa','Kossi','Fatou','Ibrahim','Aïcha'])[g % 5 + 1] || ' ' || (array['Diallo','Mensah','Koné'])[g % 3 + 1] || ' ' || g,
      'e', 'p', '', '', '', '', '', '', '{}', 0, '', now(), now() from generate_series(10001, 10000 + ${CASES}) g`);
  await service.asOwner(`
    insert into support_room (uuid, user_id, user_last_id, staff_last_id)
    select md5('r' || g)::uuid, g, ${PER_ROOM} * g, ${PER_ROOM} * g + case when g % 100 < 2 then -1 else 1 end from generate_series(10001, 10000 + ${CASES}) g`);
  // Words of every frequency: each hundredth message has a word of its own hundred, and so on.
  await service.asOwner(`
    insert into support_message (id, room_uuid, sender_id, by_staff, message, type, created_at) overriding system value
    select ${PER_ROOM} * g + i - ${PER_ROOM}, md5('r' || g)::uuid, g, i % 2 = 0,
      'Bonjour, j''ai un problème avec la leçon numéro ' || md5((g * 10 + i)::text) || ' du professeur ' ||
      case when (g + i) % 3 = 0 then 'remboursement ' else 'paiement ' end ||
      case when (g * 10 + i) % 50 = 0 then 'cinquantaine ' when (g * 10 + i) % 99 = 0 then 'centaine ' else '' end ||
      case when (g * 10 + i) % 997 = 0 then 'milliers ' when (g * 10 + i) % 200003 = 0 then 'rarissime ' else 'merci' end,
      'message', now() - interval '1 day' + (g * 10 + i) * interval '1 millisecond'
    from generate_series(10001, 10000 + ${CASES}) g, generate_series(1, ${PER_ROOM}) i`);
  // One in a hundred is live; half of these wait.
  await service.asOwner(`
    insert into support_case (room_uuid, user_id, state, assignee_id, labels, subject, waiting_since, opened_at, resolved_at,
      created_at, updated_at)
    select md5('r' || g)::uuid, g, case when g % 100 = 0 then 'open' when g % 100 = 1 then 'snoozed' else 'resolved' end,
      nullif(g % 4, 0), case when g % 1000 = 7 then array['rare'] when g % 3 = 0 then array['payment'] else '{}'::text[] end, 's',
      case when g % 200 = 0 then now() - g * interval '1 second' end, now(),
      case when g % 100 > 1 then now() end, now(), now() from generate_series(10001, 10000 + ${CASES}) g`);
  await service.asOwner(`
    insert into support_note (case_id, author_id, text, created_at, updated_at)
    select id, 1, 'note ' || md5(id::text), now(), now() from support_case where id % 10 = 0`);
  await vacuum(service);
  await service.runJob('tallies');
}, FILLS_MS);
afterAll(() => desk.stop());

const median = (values: number[]) => values.toSorted((one, other) => one - other)[values.length >> 1]!;

async function medianMs(body: object): Promise<{ ms: number; total: number }> {
  const times: number[] = [];
  let total = 0;
  for (let run = 0; run < 7; run += 1) {
    const start = performance.now();
    const answer = await desk.ada.post('/api/admin/desk/casesall', body);
    times.push(performance.now() - start);
    expect(answer.status).toBe(200);
    total = answer.body.total as number;
  }
  return { ms: median(times), total };
}

test.each<[object, number]>([
  [{}, CASES],
  [{ state: 'open' }, CASES / 100],
  [{ state: 'open', assignee: 'none' }, CASES / 100],
  [{ state: 'resolved', assignee: 'me' }, CASES / 4 - CASES / 100],
  [{ sort: 'newest' }, CASES],
  [{ sort: 'newest', page: Math.floor(CASES / 15), order: 'asc' }, CASES],
  [{ page: Math.floor(CASES / 15) }, CASES],
  [{ label: 'payment' }, Math.floor(CASES / 3)],
  [{ q: 'rarissime' }, 5],
  [{ q: 'milliers' }, 300],
  [{ q: 'centaine' }, 300],
  [{ q: 'cinquantaine' }, 300],
  [{ q: 'remboursement' }, 90],
  [{ q: 'remboursement', state: 'open' }, 1],
  [{ q: 'lecon numero' }, 30],
  [{ q: 'awa diallo 10' }, 300],
  // Every open case is of one of the 20,000 called Awa, none of one called Kossi.
  [{ q: 'awa' }, 300],
  [{ q: 'awa', state: 'open' }, 300],
  [{ q: 'kossi', state: 'open' }, 0],
  [{ q: 'awa', state: 'open', assignee: 'me' }, 0],
  [{ q: 'awa', state: 'resolved' }, 300],
  [{ q: 'awa', label: 'payment', state: 'open' }, 300],
  [{ q: 'fatou', label: 'rare' }, CASES / 1_000],
  [{ q: 'awa', label: 'rare' }, 0],
  [{ q: '12345' }, 29],
  [{ q: 'zz' }, 0],
  [{ q: 'nothing has this text' }, 0],
])('%j finds what it must; how long it takes is printed', async (body, about) => {
  const { ms, total } = await medianMs(body);
  process.stderr.write(`casesall ${JSON.stringify(body)}: ${ms.toFixed(1)} ms\n`);
  expect([body, total, total >= about * 0.5 && total <= about * 1.5 + 1]).toEqual([body, total, true]);
});

test('counts come from the counters', async () => {
  const { body } = await desk.ada.get('/api/admin/desk/counts');
  expect(body).toEqual({ open: CASES / 100, mine: 0, unassigned: CASES / 100, snoozed: CASES / 100 });
});
