import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICES, type ServiceName } from '@tutoring/shared/contract/names';
import { jsonLines } from '@tutoring/shared/testing/lines';
import { sql, withDatabase } from '@tutoring/shared/testing/infra';
import { eventually } from '@tutoring/shared/testing/wait';
import { freePort } from '../../deploy/local/servers.ts';

export const PARTS = [...SERVICES, 'gateway', 'postgres', 'nats'] as const;
export type Part = (typeof PARTS)[number];

const TICKS_PER_SECOND = 100;
const START = fileURLToPath(new URL('../../deploy/local/start.ts', import.meta.url));

interface Process {
  pid: number;
  parent: number;
  command: string;
  /** Seconds of CPU of the process, and of its exited children. */
  cpu: number;
  cpuOfExitedChildren: number;
  residentBytes: number;
}

export function processOf(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const seconds = (from: number) => ((fields[from] ?? 0) + (fields[from + 1] ?? 0)) / TICKS_PER_SECOND;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    return {
      pid,
      parent: fields[1] ?? 0,
      command,
      cpu: seconds(11),
      cpuOfExitedChildren: seconds(13),
      residentBytes: pages * 4096,
    };
  } catch {
    return undefined;
  }
}

const processes = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => processOf(Number(name)))
    .filter((found) => found !== undefined);

const filesBelow = (folder: string): string => readdirSync(folder, { recursive: true, encoding: 'utf8' }).join('\n');

/** Starts the whole product as `npm start` does, with its own durable servers. Linux only: reads /proc. */
export async function startStack() {
  const dataDir = await mkdtemp(join(tmpdir(), 'units-'));
  const port = await freePort();
  const child = spawn(process.execPath, [START], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'error',
      AUTH_RATE_LIMIT: '1000000',
      API_RATE_LIMIT: '10000000',
      SEND_LIMIT_FACTOR: '100000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (text: Buffer) => void (printed += text.toString()));
  await eventually('the stack is up', () => /^Ready: /m.test(printed), 120_000);

  const superuser = async () => {
    const password = (await readFile(join(dataDir, 'postgres/password'), 'utf8')).trim();
    const [, , , postgresPort] = (await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n');
    return `postgres://postgres:${password}@127.0.0.1:${postgresPort}/postgres`;
  };
  const url = await superuser();
  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>;

  function partOf({ command }: Process): Part | undefined {
    if (command.includes('gateway/src/main.ts')) return 'gateway';
    const service = SERVICES.find((name) => command.includes(`services/${name}/src/main.ts`));
    if (service) return service;
    if (command.includes('nats-server')) return 'nats';
    return command.includes(join(dataDir, 'postgres')) ? 'postgres' : undefined;
  }

  function measure(): Record<Part, { cpu: number; residentBytes: number }> {
    const all = processes();
    const parts = Object.fromEntries(PARTS.map((part) => [part, { cpu: 0, residentBytes: 0 }])) as ReturnType<
      typeof measure
    >;
    for (const found of all.filter(({ parent }) => parent === child.pid)) {
      const part = partOf(found);
      if (!part) continue;
      parts[part].cpu += found.cpu + found.cpuOfExitedChildren;
      parts[part].residentBytes += found.residentBytes;
      for (const below of all) if (below.parent === found.pid) parts[part].cpu += below.cpu;
    }
    return parts;
  }

  /** The environment of a running service, for commands of its `main.ts`. */
  function environmentOf(name: ServiceName): Record<string, string> {
    const own = processes().find((found) => found.parent === child.pid && partOf(found) === name)!;
    const variables = readFileSync(`/proc/${own.pid}/environ`, 'utf8').split('\0').filter(Boolean);
    return Object.fromEntries(variables.map((text) => [text.split('=', 1)[0]!, text.slice(text.indexOf('=') + 1)]));
  }

  return {
    url: `http://127.0.0.1:${port}`,
    secrets,
    measure,
    environmentOf,
    sql: (service: ServiceName, statement: string) => sql(withDatabase(url, service), statement),
    /** Bytes of WAL so far, of all services' databases, and of the files of NATS. */
    stored: async () => {
      const [row] = await sql(
        url,
        `select pg_current_wal_insert_lsn() - '0/0' as wal, ${SERVICES.map((name) => `pg_database_size('${name}') as ${name}`).join()}`,
      );
      const nats = filesBelow(join(dataDir, 'nats'))
        .split('\n')
        .filter((name) => name.endsWith('.blk'))
        .map((name) => readFileSync(join(dataDir, 'nats', name)).length);
      return {
        wal: Number(row?.['wal']),
        nats: nats.reduce((sum, bytes) => sum + bytes, 0),
        data: SERVICES.reduce((sum, name) => sum + Number(row?.[name]), 0),
      };
    },
    codeFor: (to: string) =>
      eventually(`a code for ${to}`, async () => {
        const sent = await jsonLines<{ to: string; code?: string }>(join(dataDir, 'outbox.jsonl'));
        return sent.findLast((line) => line.to === to && line.code)?.code;
      }),
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type WholeStack = Awaited<ReturnType<typeof startStack>>;
