import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { eventually } from '@tutoring/shared/testing/wait';
import { guard } from '../../deploy/local/guard.ts';
import { freePort, natsBinary } from '../../deploy/local/servers.ts';

const TOKEN = 'cluster';
const NAMES = ['a', 'b', 'c'];

interface Member {
  name: string;
  port: number;
  config: string;
  store: string;
  log: string;
  child: ChildProcess | undefined;
}

const CLUSTER_MS = 240_000;

/** Three NATS servers with JetStream, as in deploy/kubernetes/operators. */
export async function startNatsCluster() {
  const folder = await mkdtemp(join(tmpdir(), 'nats-'));
  const ports = await Promise.all(NAMES.map(() => Promise.all([freePort(), freePort()])));
  const routes = ports.map(([, route]) => `"nats://127.0.0.1:${route}"`).join(', ');
  const members: Member[] = NAMES.map((name, index) => {
    const [port, route] = ports[index]!;
    const store = join(folder, name);
    const config = join(folder, `${name}.conf`);
    writeFileSync(
      config,
      [
        `listen: "127.0.0.1:${port}"`,
        `server_name: ${name}`,
        `authorization { token: "${TOKEN}" }`,
        `jetstream { store_dir: ${JSON.stringify(store)}, max_file_store: 10GB }`,
        `cluster { name: tutoring, listen: "127.0.0.1:${route}", routes: [${routes}] }`,
        '',
      ].join('\n'),
    );
    return { name, port, config, store, log: join(folder, `${name}.log`), child: undefined };
  });

  const run = (member: Member) => {
    mkdirSync(member.store, { recursive: true });
    member.child = spawn(natsBinary(), ['-c', member.config, '-l', member.log]);
    void guard(member.child, 'server');
  };
  const hasExited = ({ child }: Member) => !child || child.exitCode !== null || child.signalCode !== null;
  const kill = async (member: Member) => {
    if (hasExited(member)) return;
    const exited = once(member.child!, 'exit');
    member.child!.kill('SIGKILL');
    await exited;
  };
  const named = (name: string): Member => {
    const member = members.find((candidate) => candidate.name === name);
    if (!member) throw new Error(`there is no server ${name}`);
    return member;
  };
  for (const member of members) run(member);

  const [first, ...others] = members.map(({ port }) => `127.0.0.1:${port}`);
  const url = `nats://${TOKEN}@${[first, ...others].join(',')}`;
  let connection: NatsConnection | undefined;
  const manager = async (): Promise<JetStreamManager> => {
    connection ??= await connect({
      servers: [first!, ...others],
      token: TOKEN,
      maxReconnectAttempts: -1,
      waitOnFirstConnect: true,
    });
    return jetstreamManager(connection, { checkAPI: false });
  };
  await eventually('the servers are one cluster', async () => {
    const jsm = await manager();
    return jsm.getAccountInfo().catch(() => undefined);
  });

  /** Retries, because a stream does not answer while its servers elect a leader. */
  const infoOf = (stream: string) =>
    eventually(`${stream} has a leader`, async () => {
      const info = await (await manager()).streams.info(stream).catch(() => undefined);
      return info?.cluster?.leader ? info : undefined;
    });

  /** The replicas that lag, as `server: stream`; a stream without a leader or with fewer replicas has no server. */
  async function lagging(): Promise<string[]> {
    const streams = await (await manager()).streams.list().next();
    return streams.flatMap(({ config, cluster: raft }) => {
      const replicas = raft?.replicas ?? [];
      if (config.num_replicas !== 3 || replicas.length !== 2) return [`?: ${config.name}`];
      return replicas.filter(({ current, lag }) => !current || lag).map(({ name }) => `${name}: ${config.name}`);
    });
  }

  /** Waits until every stream has three replicas that are up to date. Else throws: names what lags and which servers have exited. */
  async function untilReplicated(): Promise<void> {
    let late: string[] = [];
    const isReplicated = async () => {
      late = await lagging().catch((error: unknown) => [String(error)]);
      return late.length === 0;
    };
    await eventually('all streams are on all three servers', isReplicated, CLUSTER_MS).catch((error: unknown) => {
      const ends = members
        .filter(hasExited)
        .map(({ name, log }) => `${name} has exited: ${readFileSync(log, 'utf8').trimEnd().split('\n').at(-1)}`);
      throw new Error(['not on all three servers', ...late, ...ends].join('; '), { cause: error });
    });
  }

  const cluster = {
    url,
    manager,
    connection: () => connection!,
    untilReplicated,
    infoOf,
    leaderOf: async (stream: string) => (await infoOf(stream)).cluster?.leader ?? '',
    kill: (name: string) => kill(named(name)),
    start: (name: string) => run(named(name)),
    /** Kills and restarts a server; `emptied`: its disk is lost. */
    restart: async (name: string, { emptied } = { emptied: false }) => {
      const member = named(name);
      await kill(member);
      if (emptied) rmSync(member.store, { recursive: true });
      run(member);
    },
    restartAll: async () => {
      await Promise.all(members.map(kill));
      members.forEach(run);
    },
    /** Kills all servers, copies their stores, and restarts them. */
    copy: async () => {
      await Promise.all(members.map(kill));
      for (const { store } of members) cpSync(store, `${store}-older`, { recursive: true });
      members.forEach(run);
    },
    /** Kills these servers and restarts them with the copies of their stores. */
    restore: async (names: string[]) => {
      const lossy = names.map(named);
      await Promise.all(lossy.map(kill));
      for (const member of lossy) {
        rmSync(member.store, { recursive: true });
        cpSync(`${member.store}-older`, member.store, { recursive: true });
        run(member);
      }
    },
    names: NAMES,
    stop: async () => {
      await connection?.close();
      await Promise.all(members.map(kill));
      await rm(folder, { recursive: true, force: true });
    },
  };
  return cluster;
}

export type NatsCluster = Awaited<ReturnType<typeof startNatsCluster>>;
