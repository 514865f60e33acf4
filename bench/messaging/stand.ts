import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bearer, secretOf } from '@tutoring/shared/kit/identity/bearer';
import { migrate } from '@tutoring/shared/kit/database/migrate';
import { roomUuid } from '@tutoring/shared/contract/room-uuid';
import { sql } from '@tutoring/shared/testing/infra';
import { testKeys } from '@tutoring/shared/testing/keys';
import { freePort, provision } from '../../deploy/local/servers.ts';
import { openOrDispose, startProgram, startServers } from '../processes.ts';

export const ROOM_NAMESPACE = '0f3c7f3e-9a53-4d59-8a51-2f6c6f7d1b11';
const PASSWORDS = { messaging_owner: 'o'.repeat(24), messaging_service: 's'.repeat(24) };

/** A well-formed bearer token from which the stand-in for identity reads the user id. */
export const tokenOf = (userId: number) => bearer(userId, secretOf(String(userId).padStart(40, 'x')));

/** Even ids are teachers, odd ids are students; the pair (2n+1, 2n+2) has a room. */
export const pairOf = (n: number) => ({ studentId: 2 * n + 1, teacherId: 2 * n + 2 });
export const roomOf = (n: number) => roomUuid(ROOM_NAMESPACE, pairOf(n).studentId, pairOf(n).teacherId);

/** Stands in for the other services: verifies tokens, and is ready. */
async function startOthers() {
  const server = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      res.setHeader('content-type', 'application/json');
      if (req.url !== '/internal/tokens/verify') return res.end('{"status":"ready"}');
      const { token } = JSON.parse(Buffer.concat(parts).toString()) as { token: string };
      const id = Number(token.split('|')[0]);
      const caller = { kind: 'user', id, platform: id % 2 === 0 ? 'teacher' : 'student', tokenId: id };
      return res.end(JSON.stringify({ caller, expires_at: null }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** Starts PostgreSQL and NATS as in production (every commit reaches the disk); `start` starts further processes. */
async function open(opened: AsyncDisposableStack) {
  const { folder, postgres, nats } = await startServers(opened, 'bench-messaging-');
  const others = await startOthers();
  opened.defer(() => void others.close());
  const { messaging } = await provision(postgres.url, { names: ['messaging'], passwords: PASSWORDS });
  if (!messaging) throw new Error('no database');
  await migrate(messaging.ownerUrl, new URL('../../services/messaging/migrations/', import.meta.url));

  /** Starts a process of the system, or of this benchmark, and waits until it is ready. */
  async function start(entry: string, extra: Record<string, string> = {}) {
    const port = await freePort();
    const child = await startProgram(opened, entry, {
      PORT: String(port),
      PUBLIC_URL: 'http://127.0.0.1',
      NATS_URL: nats.url,
      ...testKeys(entry.startsWith('gateway/') ? 'gateway' : 'messaging'),
      IDENTITY_URL: others.url,
      WALLET_URL: others.url,
      MESSAGING_URL: others.url,
      CALLS_URL: others.url,
      DATABASE_URL: messaging!.serviceUrl,
      ROOM_NAMESPACE,
      MAILBOX_FILE: join(folder, 'outbox.jsonl'),
      FILES_URL: pathToFileURL(join(folder, 'files')).href,
      API_RATE_LIMIT: '1000000000',
      ...extra,
    });
    return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 };
  }

  const numberIn = async (file: string) => Number.parseInt(await readFile(join(folder, file), 'utf8'), 10);
  return {
    start,
    pids: { postgres: await numberIn('postgres/data/postmaster.pid'), nats: await numberIn('nats/nats.pid') },
    natsUrl: nats.url,
    url: messaging.serviceUrl,
    /** Runs SQL as the schema's owner. */
    sql: (statement: string, parameters: unknown[] = []) => sql(messaging.ownerUrl, statement, parameters),
    close: () => opened.disposeAsync(),
  };
}

export type Stand = Awaited<ReturnType<typeof open>>;

export async function withStand(work: (stand: Stand) => Promise<void>): Promise<void> {
  const stand = await openOrDispose(open);
  try {
    await work(stand);
  } finally {
    await stand.close();
  }
}

/** Inserts `count` pairs of people with a room each. */
export async function seedRooms(stand: Stand, count: number): Promise<void> {
  const rooms = Array.from({ length: count }, (_none, n) => ({ uuid: roomOf(n), ...pairOf(n) }));
  await stand.sql(
    `insert into user_copy (id, version, platform, status, deleted, name, email, phone_number, photo, address, city, country,
       about_me, subjects_interest, domains, experience, availability, created_at, updated_at)
     select n, 1, case when n % 2 = 0 then 'teacher' else 'student' end, 'active', false, 'Person ' || n, 'p' || n || '@x.test',
       '', '', '', '', '', '', '', '{Maths}', 1, '', now(), now() from generate_series(1, $1::int) n
     on conflict do nothing`,
    [count * 2],
  );
  await stand.sql(
    `insert into balance_copy (user_id, version, available) select n, 1, 0 from generate_series(1, $1::int) n on conflict do nothing`,
    [count * 2],
  );
  await stand.sql(
    `insert into room (uuid, student_id, teacher_id) select uuid, student, teacher
     from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as t (uuid, student, teacher) on conflict do nothing`,
    [rooms.map((room) => room.uuid), rooms.map((room) => room.studentId), rooms.map((room) => room.teacherId)],
  );
}

export const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;
export const milliseconds = (value: number) => `${value.toFixed(1)} ms`;
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
