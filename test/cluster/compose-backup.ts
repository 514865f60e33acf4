import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SERVICES } from '@tutoring/shared/contract/names';
import { eventually } from '@tutoring/shared/testing/wait';
import sharp from 'sharp';
import { freePort } from '../../deploy/local/servers.ts';
import { root } from '../deploy/processes.ts';
import { as, data } from '../journeys/people.ts';
import type { System } from '../journeys/system.ts';
import { startLesson, systemOf } from './lesson.ts';

/*
 * Runs docker-compose.yml: deploy/compose/restore.sh restores rows and files from a backup by deploy/compose/backup.sh.
 * Needs Docker with compose. Uses a clone with its own project name, so that no other project is affected.
 */

const run = promisify(execFile);
let folder: string;
let system: System;
let url: string;

const docker = (...args: string[]) => run('docker', args, { cwd: folder, env, maxBuffer: 64 << 20 });
const compose = (...args: string[]) => docker('compose', ...args);
const env = { ...process.env };

/** The output of a command inside the container. */
const inside = async (service: string, ...command: string[]) =>
  (await compose('exec', '-T', service, ...command)).stdout.trim();
const COMPLETE_LINES = "fs.readFileSync('/mailbox/outbox.jsonl', 'utf8').split('\\n').slice(0, -1).join('\\n')";
const mailbox = () => inside('identity', 'node', '-p', COMPLETE_LINES);
const codeFor = (to: string) =>
  eventually(`a code for ${to}`, async () => {
    const entries = (await mailbox().catch(() => '')).split('\n').filter((line) => line.startsWith('{'));
    return entries.map((line) => JSON.parse(line)).findLast((entry) => entry.to === to && entry.code)?.code as string;
  });

/** The tables that a backup must contain. */
const TABLES = {
  identity: ['account', 'photo', 'audit'],
  wallet: ['transfer', 'hold', 'deposit', 'user_copy'],
  messaging: ['room', 'message', 'file'],
  calls: ['call'],
};
const psql = (service: string, sql: string) => inside('postgres', 'psql', '-U', 'postgres', '-d', service, '-Atc', sql);
/** A digest of the rows of each table. */
async function rows(): Promise<Record<string, string>> {
  const digests = SERVICES.flatMap((service) =>
    TABLES[service].map(async (table) => {
      const sql = `select concat_ws(' ', count(*), md5(string_agg(t::text, '' order by t::text))) from ${table} t`;
      return [table, await psql(service, sql)] as const;
    }),
  );
  return Object.fromEntries(await Promise.all(digests));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'));
  await run('git', ['clone', '--quiet', root, folder]);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  Object.assign(env, { PORT: String(port), COMPOSE_PROJECT_NAME: `backup-${port}` });
  await run(process.execPath, ['deploy/compose/make-env.mjs'], { cwd: folder, env });
  await appendFile(join(folder, '.env'), 'SMTP_URL=\n');
  await compose('up', '--build', '--wait', 'gateway');
  const secrets = Object.fromEntries(
    (await readFile(join(folder, '.env'), 'utf8')).split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );
  system = { ...systemOf({ url, codeFor }), secrets };
}, 900_000);
afterAll(async () => {
  await compose('down', '--volumes', '--timeout', '5');
  await rm(folder, { recursive: true, force: true });
}, 120_000);

test('a restored backup has all rows of users, money, messages and calls, and all bytes of the files', async () => {
  const { student, room, call } = await startLesson(system);
  const me = as(system, student.token);
  data(await me.post('api/call/end', { room_uuid: room, identifier: call }));
  const image = await sharp({ create: { width: 600, height: 600, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  const upload = async (path: string) => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(image)], { type: 'image/jpeg' }), 'photo.jpg');
    const headers = { authorization: `Bearer ${student.token}` };
    const answer = await fetch(`${url}/${path}`, { method: 'POST', headers, body: form });
    return ((await answer.json()) as { data: { url: string; photo: string } }).data;
  };
  const { photo } = await upload('api/me/photo');
  const { url: file } = await upload(`api/rooms/${room}/files`);
  const send = (message_link: string) => me.post(`api/rooms/${room}/messages`, { type: 'image', message_link });
  data(await send(file));
  const bytes = async () => {
    const files = await Promise.all([photo, file].map(async (link) => (await fetch(link)).arrayBuffer()));
    return files.map((each) => createHash('sha256').update(Buffer.from(each)).digest('hex'));
  };
  const open = () => psql('wallet', "select count(*) from hold where state = 'open'");
  await eventually('the call is settled', async () => (await open()) === '0');
  const before = { rows: await rows(), bytes: await bytes() };

  const archive = join(folder, 'backup.tar');
  await run('sh', ['deploy/compose/backup.sh', archive], { cwd: folder, env });
  expect((await stat(archive)).mode & 0o777).toBe(0o600);
  data(await me.delete('api/me/photo'));
  await eventually('the photo is gone', async () => (await bytes())[0] !== before.bytes[0]);
  data(await send((await upload(`api/rooms/${room}/files`)).url));

  await run('sh', ['deploy/compose/restore.sh', archive], { cwd: folder, env, maxBuffer: 64 << 20 });
  expect({ rows: await rows(), bytes: await bytes() }).toEqual(before);
  expect(await inside('wallet', 'node', 'src/audit/main.ts')).toMatch(/transfers adds up\./);
  data(await send(file));
}, 900_000);
