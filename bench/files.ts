import { mkdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { IDENTITY_HEADER } from '@tutoring/shared/identity/auth';
import { signerOf } from '@tutoring/shared/testing/keys';
import { megabytesPerSecond, MIB } from './files/load.ts';
import { pairOf, percentile, roomOf, seedRooms, tokenOf, withStand, type Stand } from './messaging/stand.ts';

/*
 * MB/s of uploads to (a) a bare Express + busboy + fs server, (b) messaging, (c) the bare server behind a bare
 * http-proxy-middleware and (d) messaging behind the gateway; each in separate processes, in alternating rounds of one
 * run. Then the memory for 50 simultaneous uploads of 25 MiB.
 *
 *   npm run bench -- files [--rounds 5] [--files 16] [--mib 25] [--at-once 8]
 */

const ROOMS = 200;
const MANY = 50;

interface Options {
  rounds: number;
  files: number;
  mib: number;
  atOnce: number;
}

/** Resident megabytes of a process; undefined where the system does not report them. */
async function residentOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kib] = /VmRSS:\s+(\d+)/.exec(status) ?? [];
  return kib === undefined ? undefined : Number(kib) / 1024;
}

/** The maximum growth in megabytes of each process while `work` runs. */
async function growthOf(pids: number[], work: () => Promise<unknown>): Promise<(number | undefined)[]> {
  const before = await Promise.all(pids.map(residentOf));
  const most = [...before];
  const timer = setInterval(() => {
    pids.forEach((pid, at) => void residentOf(pid).then((now) => (most[at] = Math.max(most[at] ?? 0, now ?? 0))));
  }, 20);
  await work();
  clearInterval(timer);
  return most.map((megabytes, at) => (before[at] === undefined ? undefined : (megabytes ?? 0) - (before[at] ?? 0)));
}

/** Uploaders take turns, so that none reaches the daily limit. */
let uploader = 0;
const nextPair = () => (uploader = (uploader + 1) % ROOMS);

async function bench(stand: Stand, { rounds, files, mib, atOnce }: Options): Promise<void> {
  const folder = join(tmpdir(), `bench-files-${process.pid}`);
  await mkdir(join(folder, 'bare'), { recursive: true });
  await seedRooms(stand, ROOMS);
  const bare = await stand.start('bench/files/bare.ts', { FOLDER: join(folder, 'bare') });
  const bareProxy = await stand.start('bench/files/bare-proxy.ts', { TARGET: bare.url });
  const FILES_URL = pathToFileURL(join(folder, 'files')).href;
  const messaging = await stand.start('services/messaging/src/main.ts', { FILES_URL });
  const gateway = await stand.start('gateway/src/main.ts', { MESSAGING_URL: messaging.url });
  const signer = signerOf('gateway');

  const targets = (base: string, headersOf: (userId: number) => Record<string, string>, count: number) =>
    Array.from({ length: count }, () => {
      const pair = nextPair();
      return { url: `${base}/api/rooms/${roomOf(pair)}/files`, headers: headersOf(pairOf(pair).studentId) };
    });
  const signed = (id: number) => ({
    [IDENTITY_HEADER]: signer.sign({ kind: 'user', id, platform: 'student', tokenId: id }, 'messaging'),
  });
  const bearer = (id: number) => ({ authorization: `Bearer ${tokenOf(id)}` });
  const ways: [name: string, url: string, headersOf: (userId: number) => Record<string, string>][] = [
    ['bare', bare.url, () => ({})],
    ['messaging', messaging.url, signed],
    ['bare behind a bare proxy', bareProxy.url, () => ({})],
    ['messaging behind the gateway', gateway.url, bearer],
  ];
  const figures = ways.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [way, [, url, headersOf]] of ways.entries()) {
      const speed = await megabytesPerSecond(targets(url, headersOf, files), { size: mib * MIB, atOnce });
      // The first round is for warm-up.
      if (round > 0) figures[way]!.push(speed);
      await stand.sql('delete from upload_day');
      for (const place of ['bare', 'files']) await rm(join(folder, place), { recursive: true, force: true });
      await mkdir(join(folder, 'bare'));
    }
  }
  const medians = figures.map((speeds) => percentile(speeds, 0.5));
  for (const [way, [name]] of ways.entries()) {
    const share = medians[way]! / medians[way - (way % 2)]!;
    const shown = way % 2 === 0 ? '' : `   ${share.toFixed(2)} of the one above`;
    console.log(`${name.padEnd(28)} ${medians[way]!.toFixed(0).padStart(6)} MB/s${shown}`);
  }

  const [service, edge] = await growthOf([messaging.pid, gateway.pid], () =>
    megabytesPerSecond(targets(gateway.url, bearer, MANY), { size: 25 * MIB, atOnce: MANY }),
  );
  const shown = (megabytes: number | undefined) => (megabytes === undefined ? 'unknown' : `${megabytes.toFixed(0)} MB`);
  console.log(`${MANY} uploads of 25 MiB at once: messaging grows by ${shown(service)}, the gateway by ${shown(edge)}`);
  await rm(folder, { recursive: true, force: true });
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      files: { type: 'string', default: '16' },
      mib: { type: 'string', default: '25' },
      'at-once': { type: 'string', default: '8' },
    },
  });
  const [rounds, files, mib, atOnce] = [values.rounds, values.files, values.mib, values['at-once']].map(Number);
  await withStand((stand) => bench(stand, { rounds: rounds!, files: files!, mib: mib!, atOnce: atOnce! }));
}
