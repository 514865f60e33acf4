import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { blocksReader, FROM_SERIES, partitionsRead, ROWS, scansOfJobs, vacuum } from '@tutoring/shared/testing/plans';
import type { UnstoredMessage } from '../src/messages/message.ts';
import {
  countBy,
  findRepeated,
  insertMessages,
  listLastMessages,
  listMessages,
  listOwnMessages,
  newestIdBy,
} from '../src/messages/message-store.ts';
import { countAll } from '../src/stats/stats-store.ts';
import { startMessaging, type Messaging } from './kit.ts';

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(() => messaging.stop());

const ROOM = `md5('r' || g)::uuid`;
const MESSAGE = `'x', 'text', app_now() - interval '1 hour'`;

test('no job scans a whole growing table', async () => {
  const growing = {
    user_copy: `select g, 1, 'student', 'active', false, 'n', 'e', 'p', '', '', '', '', '', null, '', '{}', 0, '',
      app_now(), app_now() ${FROM_SERIES}`,
    balance_copy: `select g, 1, 0 ${FROM_SERIES}`,
    device_copy: `select g, 1, array['d' || g] ${FROM_SERIES}`,
    call_copy: `select g, 1, 'ended', ${ROOM}, app_now(), app_now() ${FROM_SERIES}`,
    room: `(uuid, student_id, teacher_id) select ${ROOM}, g, g + 1000000 ${FROM_SERIES}`,
    message: `(room_uuid, sender_id, message, type, created_at)
      select md5('r' || g % ${ROWS} + 1)::uuid, g, ${MESSAGE} ${FROM_SERIES}`,
    support_room: `(uuid, user_id) select ${ROOM}, g ${FROM_SERIES}`,
    // Its trigger fills `support_message_found`.
    support_message: `(room_uuid, sender_id, by_staff, message, type, created_at) 
      select ${ROOM}, g, false, ${MESSAGE} ${FROM_SERIES}`,
    push: `(user_id, device_key, kind, title, body, data, next_attempt_at, expires_at)
      select g, 'd' || g, 'message', '', '', '{}', app_now() + interval '1 hour', app_now() + interval '1 day' ${FROM_SERIES}`,
    block: `(user_id, blocked_id) select g, g + 1000000 ${FROM_SERIES}`,
    report: `(reporter_id, user_id, reason, details) select g, g + 1000000, 'spam', 'x' ${FROM_SERIES}`,
    file: `(key, owner_id, name, type, content_type, size, state, sent)
      select 'k' || g, g, 'x', 'file', 'x', 1, 'visible', g % 10 > 0 ${FROM_SERIES}`,
    file_sender: `(key, sender_id) select 'k' || g, g ${FROM_SERIES}`,
    upload_day: `(day, owner_id, files, bytes) select app_now()::date, g, 1, 1 ${FROM_SERIES}`,
    dead_device: `(device_key) select 'x' || g ${FROM_SERIES}`,
    support_message_found: `(id, room_uuid, text) select -g, ${ROOM}, 'x' ${FROM_SERIES}`,
    admin_copy: `select g, 1, 'n', true ${FROM_SERIES}`,
    support_case: `(room_uuid, user_id, state, subject, opened_at, resolved_at, created_at, updated_at)
      select ${ROOM}, g, 'resolved', 'x', app_now(), app_now(), app_now(), app_now() ${FROM_SERIES}`,
    support_case_event: `(case_id, event, at) select g, 'opened', app_now() ${FROM_SERIES}`,
    support_note: `(case_id, author_id, text, created_at, updated_at) select g, 1, 'x', app_now(), app_now() ${FROM_SERIES}`,
    lesson_news: `select g, g + 1000000, app_now(), 1 ${FROM_SERIES}`,
  };
  expect(
    await scansOfJobs(messaging.service, {
      growing,
      also: () => countAll(messaging.service.service.database.manager),
      small: ['setting_copy', 'message_tally', 'report_tally', 'room_tally', 'support_case_tally', 'support_reply'],
    }),
  ).toEqual([]);
});

test('lists of all support rooms, of unanswered ones and of one user use an index', async () => {
  const { service } = messaging;
  // One room in a hundred is unanswered, and these have the oldest activity.
  await service.asOwner(`update support_room set user_last_id = 2, staff_last_id = case when waits then 1 else 3 end,
    updated_at = app_now() - case when waits then interval '1 day' else interval '0' end
    from (select uuid, user_id % 100 = 0 as waits from support_room) w where w.uuid = support_room.uuid`);
  await vacuum(service, 'support_room');
  const read = await blocksReader(service);
  const rooms = async (query: string) => (await service.api.admin().get(`/api/admin/rooms?limit=15${query}`)).body;
  const [room] = await rooms('&unanswered=1');
  for (const query of ['', '&unanswered=1', `&unanswered=1&before=${room.uuid}`, '&user_id=77']) {
    // Not the upkeep, which reads rooms beside the test.
    const cost = await read(/as now from support_room/, () => rooms(query));
    expect([query, cost, cost < 200]).toEqual([query, cost, true]);
  }
});

test('reads and writes of one room touch one partition', async () => {
  const { service } = messaging;
  const [{ uuid, sender }] = (await service.rows<{ uuid: string; sender: number }>(
    'select room_uuid as uuid, sender_id as sender from message order by id limit 1',
  )) as [{ uuid: string; sender: number }];
  const item: UnstoredMessage = {
    ...{ room_uuid: uuid, sender_id: sender, message: 'x', type: 'message', message_link: null },
    client_message_id: 'first',
  };
  const works: Parameters<typeof partitionsRead>[2][] = [
    (tx) => listMessages(tx, uuid, { limit: 30 }),
    (tx) => listLastMessages(tx, [uuid], [1]),
    (tx) => listOwnMessages(tx, { roomUuid: uuid, senderId: sender, after: undefined, limit: 10 }),
    (tx) => newestIdBy(tx, uuid, sender, 1_000),
    (tx) => countBy(tx, uuid, sender, { after: 0, upTo: 1_000 }),
    // Repeated until PostgreSQL switches to a generic plan.
    async (tx) => {
      for (let run = 0; run < 8; run += 1) await findRepeated(tx, [item]);
    },
    async (tx) => {
      await insertMessages(tx, [item]);
      expect(await findRepeated(tx, [item])).toHaveLength(1);
    },
  ];
  for (const work of works)
    expect([work.toString(), await partitionsRead(service, 'message', work)]).toEqual([work.toString(), 1]);
});
