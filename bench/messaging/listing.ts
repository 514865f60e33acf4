import { milliseconds, pairOf, percentile, roomOf, seedRooms, tokenOf, type Stand } from './stand.ts';

const ROOMS = 2_000;
const PER_ROOM = 50;
const REQUESTS = 4_000;
const PARALLEL = 4;
const ROUNDS = 3;

const PATHS = [
  (room: number) => `/api/rooms/${roomOf(room)}/messages`,
  (room: number) => `/api/rooms/${roomOf(room)}`,
  () => '/api/rooms',
];

/** Fills the table with other rooms, so that the responses for the first rooms stay comparable. */
async function fill(stand: Stand, from: number, rooms: number, perRoom: number): Promise<void> {
  const uuids = Array.from({ length: rooms }, (_none, index) => roomOf(from + index));
  await stand.sql(
    `insert into message (room_uuid, sender_id, message, type, created_at)
     select room.uuid, case when n % 2 = 0 then student_id else teacher_id end, 'Message ' || n, 'message', now()
     from generate_series(1, $2::int) n cross join unnest($1::uuid[]) as wanted (uuid) join room using (uuid)`,
    [uuids, perRoom],
  );
  await stand.sql(
    `update room set student_last_id = s.id, teacher_last_id = t.id, teacher_read_id = s.id, student_read_id = t.id
     from (select room_uuid, max(m.id) as id from message m join room r on r.uuid = room_uuid where sender_id = student_id group by 1) s
     join (select room_uuid, max(m.id) as id from message m join room r on r.uuid = room_uuid where sender_id = teacher_id group by 1) t
       using (room_uuid) where room.uuid = room_uuid`,
  );
  await stand.sql('vacuum analyze message, room');
}

async function measure(url: string): Promise<number> {
  const took: number[] = [];
  let next = 0;
  const rooms = 1_000 / PER_ROOM;
  const work = async () => {
    while (next < REQUESTS) {
      const turn = next++;
      const room = turn % rooms;
      const path = PATHS[turn % PATHS.length]?.(room) ?? '';
      const began = performance.now();
      const answer = await fetch(`${url}${path}`, {
        headers: { authorization: `Bearer ${tokenOf(pairOf(room).studentId)}` },
      });
      await answer.arrayBuffer();
      took.push(performance.now() - began);
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return percentile(took, 0.99);
}

/** p99 of the three listings with 1,000 and with 1,000,000 messages in the database. */
export async function benchListing(stand: Stand): Promise<void> {
  await seedRooms(stand, ROOMS);
  await fill(stand, 0, 1_000 / PER_ROOM, PER_ROOM);
  const messaging = await stand.start('services/messaging/src/main.ts');
  const gateway = await stand.start('gateway/src/main.ts', { MESSAGING_URL: messaging.url });
  await measure(gateway.url);
  const best = async () => {
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(gateway.url));
    return percentile(rounds, 0.5);
  };
  const small = await best();
  console.log(`  1,000 messages: p99 ${milliseconds(small)}`);
  const others = ROOMS - 1_000 / PER_ROOM;
  for (let done = 1_000 / PER_ROOM; done < ROOMS; done += others / 4)
    await fill(stand, done, others / 4, Math.ceil(999_000 / others));
  const [row] = await stand.sql('select count(*)::int as n from message');
  const large = await best();
  console.log(`  ${Number(row?.['n']).toLocaleString('en')} messages: p99 ${milliseconds(large)}`);
  console.log(`  ratio: ${(large / small).toFixed(2)} (goal at most 1.3)`);
}
