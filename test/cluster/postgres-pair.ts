import { chownSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@tutoring/shared/kit/database/migrate';
import { SERVICES, type ServiceName } from '@tutoring/shared/contract/names';
import { sql } from '@tutoring/shared/testing/infra';
import { eventually } from '@tutoring/shared/testing/wait';
import pg from 'pg';
import { serverAccount } from '../../deploy/local/account.ts';
import { postgresBinaries } from '../../deploy/local/cluster.ts';
import { provision, startPostgres, startStandby, type Server } from '../../deploy/local/servers.ts';
import { halt, kill } from '../chaos/stack/processes.ts';

/** An address whose new connections go to the current target, like the Service `...-rw` of an operator. */
async function startAddress(port: number) {
  let target = port;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ port: target, host: '127.0.0.1' });
    for (const socket of [client, upstream]) {
      open.add(socket);
      const end = () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      };
      socket.on('error', end).on('close', end);
    }
    client.pipe(upstream);
    upstream.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    moveTo: (next: number) => void (target = next),
    stop: () => {
      for (const socket of open) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const at = (url: string, port: number) => {
  const moved = new URL(url);
  moved.port = String(port);
  return moved.href;
};

/** Gives the copied files to the account that PostgreSQL runs under. */
async function chownToServer(dataDir: string): Promise<void> {
  const { postgres } = await postgresBinaries();
  const { uid, gid } = serverAccount(postgres, dataDir);
  if (uid === undefined || gid === undefined) return;
  chownSync(join(dataDir, 'data'), uid, gid);
  for (const path of readdirSync(join(dataDir, 'data'), { recursive: true, encoding: 'utf8' }))
    chownSync(join(dataDir, 'data', path), uid, gid);
}

/** Files that a backup does not need, as in pg_basebackup: temporary ones may vanish while they are copied. */
const OMITTED =
  /postmaster\.(pid|opts)$|\/pg_(replslot|dynshmem|notify|stat_tmp|subtrans)\/.|\/pg_internal\.init|\/pgsql_tmp|\/xlogtemp\.|\.tmp$/;

interface Node {
  server: Server;
  dataDir: string;
}

/** How the primary is lost: it is killed, it stops answering, or it is shut down. */
export type Loss = 'killed' | 'silent' | 'relieved';

/** Starts a PostgreSQL primary with the migrated databases of the services; `addStandby` makes it synchronous. */
export async function startPair() {
  const folder = await mkdtemp(join(tmpdir(), 'pair-'));
  const options = (dataDir: string) => ({ dataDir, durable: true, log: () => undefined });
  let count = 0;
  const nextFolder = () => join(folder, `node-${(count += 1)}`);

  const first = nextFolder();
  let primary: Node = { server: await startPostgres(options(first)), dataDir: first };
  let standby: Node | undefined;
  const gone: Node[] = [];
  const passwords = Object.fromEntries(
    SERVICES.flatMap((name) => [`${name}_owner`, `${name}_service`]).map((role) => [role, role]),
  );
  const databases = await provision(primary.server.url, { names: SERVICES, passwords });
  for (const name of SERVICES)
    await migrate(databases[name]!.ownerUrl, new URL(`../../services/${name}/migrations/`, import.meta.url));
  const address = await startAddress(primary.server.port);
  const reading = await startAddress(primary.server.port);

  /** Copies the running primary's files with PostgreSQL's low-level backup API. */
  async function copyPrimary(dataDir: string): Promise<void> {
    const backup = new pg.Client({ connectionString: primary.server.url });
    await backup.connect();
    try {
      await backup.query(`select pg_backup_start('standby', true)`);
      mkdirSync(dataDir, { recursive: true });
      cpSync(join(primary.dataDir, 'password'), join(dataDir, 'password'));
      cpSync(join(primary.dataDir, 'data'), join(dataDir, 'data'), {
        recursive: true,
        preserveTimestamps: true,
        filter: (path) => !OMITTED.test(path),
      });
      const { rows } = await backup.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
      writeFileSync(join(dataDir, 'data/backup_label'), rows[0]!.labelfile);
    } finally {
      await backup.end();
    }
    const { hostname, port, username, password } = new URL(primary.server.url);
    const upstream = `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`;
    writeFileSync(join(dataDir, 'data/standby.signal'), '');
    const settings = join(dataDir, 'data/postgresql.auto.conf');
    const others = readFileSync(settings, 'utf8').replaceAll(/^(primary_conninfo|synchronous_standby_names).*\n/gm, '');
    writeFileSync(settings, `${others}primary_conninfo = '${upstream}'\n`);
    await chownToServer(dataDir);
  }

  return {
    /** URLs of a service's database at the primary, and at the newest standby (`readUrl`). */
    databaseOf: (name: ServiceName) =>
      Promise.resolve({
        url: at(databases[name]!.serviceUrl, address.port),
        ownerUrl: at(databases[name]!.ownerUrl, address.port),
        readUrl: at(databases[name]!.serviceUrl, reading.port),
        drop: () => Promise.resolve(),
      }),
    /** Runs SQL on the standby's copy of a service's database, as the superuser. */
    sqlOnStandby: (name: ServiceName, statement: string) => {
      const copy = new URL(standby!.server.url);
      copy.pathname = new URL(databases[name]!.serviceUrl).pathname;
      return sql(copy.href, statement);
    },
    /** Adds a standby when there is none. From then on every commit waits for it. */
    addStandby: async () => {
      if (standby) return;
      const dataDir = nextFolder();
      await sql(primary.server.url, `alter system set wal_keep_size = '512MB'`);
      await sql(primary.server.url, 'select pg_reload_conf()');
      await copyPrimary(dataDir);
      standby = { server: await startStandby(options(dataDir)), dataDir };
      reading.moveTo(standby.server.port);
      await sql(primary.server.url, `alter system set synchronous_standby_names = 'standby'`);
      await sql(primary.server.url, 'select pg_reload_conf()');
      const isSynchronous = `select from pg_stat_replication where sync_state = 'sync'`;
      await eventually(
        'commits wait for the standby',
        async () => (await sql(primary.server.url, isSynchronous)).length === 1,
      );
    },
    /** Takes down the primary and promotes the standby. The returned function kills a primary that was silent. */
    failOver: async (loss: Loss) => {
      if (!standby) throw new Error('there is no standby');
      const pid = Number(readFileSync(join(primary.dataDir, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
      if (loss === 'killed') kill(pid);
      if (loss === 'silent') halt(pid);
      if (loss === 'relieved') await primary.server.stop();
      await sql(standby.server.url, 'select pg_promote(true, 60)');
      gone.push(primary);
      primary = standby;
      standby = undefined;
      address.moveTo(primary.server.port);
      return () => {
        if (loss === 'silent') kill(pid);
      };
    },
    stop: async () => {
      await Promise.all([address.stop(), reading.stop()]);
      for (const node of [primary, standby, ...gone]) await node?.server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Pair = Awaited<ReturnType<typeof startPair>>;
