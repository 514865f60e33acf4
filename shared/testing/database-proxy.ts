import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** `ReadyForQuery` with status idle: the end of each answer outside a transaction. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1');

/** The end of a COMMIT: statements that were sent together with it have their answers before. */
const COMMIT_ENDED = /C\0\0\0.(COMMIT|ROLLBACK)\0/s;

/** The server's last message when an administrator ends a connection: FATAL, 57P01. */
function shutdownMessage(): Buffer {
  const fields = Buffer.from(
    'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0',
    'latin1',
  );
  const head = Buffer.from('E\0\0\0\0', 'latin1');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/**
 * When the connection of the armed statement is cut: before the server gets the statement, after its execution but
 * before the reply, or right after the reply, as if the server ended the connection.
 */
export type CutMoment = 'before' | 'after' | 'answered';

/**
 * When a process is killed: at message number `count` to the database, before or after the server executes it.
 * `commits` counts only messages with a COMMIT, at which the visible state changes.
 */
export interface CrashPoint {
  of: 'messages' | 'commits';
  count: number;
  when: 'before' | 'after';
}

const COUNTED = { messages: /(?:)/, commits: /COMMIT/ };

/** A proxy to PostgreSQL whose connections a test can cut or silence at any moment. */
export async function startDatabaseProxy(databaseUrl: string, at = 0) {
  const { hostname, port } = new URL(databaseUrl);
  let armed: { statement: RegExp; when: CutMoment; count: number } | undefined;
  let cuts = 0;
  let goodbyes = 0;
  let death: (CrashPoint & { kill: () => void }) | undefined;
  let isDead = false;
  const open = new Set<Socket>();
  const silent = new Set<Socket>();

  /** Kills the process. Unsent data is lost; the backends finish the statements that they have received. */
  function crash(): void {
    isDead = true;
    death?.kill();
    for (const socket of open) socket.end();
  }

  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
    let cutting: 'after' | 'answered' | 'dying' | undefined;
    let greeted = false;
    let [isCommit, unsent] = [false, ''];
    const destroy = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const [socket, other] of [
      [client, () => upstream.end()],
      [upstream, destroy],
    ] as const) {
      open.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(socket);
          silent.delete(socket);
          other();
        });
    }
    client.on('data', (chunk: Buffer) => {
      if (silent.has(client) || isDead) return;
      if (death && COUNTED[death.of].test(chunk.toString('latin1')) && (death.count -= 1) === 0) {
        if (death.when === 'before') return crash();
        cutting = 'dying';
      }
      if (armed?.statement.test(chunk.toString('latin1')) && (armed.count -= 1) === 0) {
        const { when } = armed;
        armed = undefined;
        cuts += 1;
        if (when === 'before') return destroy();
        cutting = when;
        isCommit = chunk.includes('COMMIT');
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      if (silent.has(client) || isDead) return;
      if (cutting === 'dying') return crash();
      if (cutting === 'after') {
        unsent += chunk.toString('latin1');
        if (!isCommit || COMMIT_ENDED.test(unsent)) destroy();
        return;
      }
      if (cutting === 'answered') return void client.end(Buffer.concat([chunk, shutdownMessage()]), destroy);
      if (!greeted && chunk.subarray(-READY.length).equals(READY)) {
        greeted = true;
        if (goodbyes > 0) {
          goodbyes -= 1;
          return void client.end(Buffer.concat([chunk, shutdownMessage()]), destroy);
        }
      }
      client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));

  return {
    /** Rewrites a database URL to use the proxy. */
    through(url: string): string {
      const through = new URL(url);
      through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      return through.href;
    },
    /** Cuts the connection of the `count`th message that matches from now on. */
    arm: (statement: RegExp, when: CutMoment, count = 1) => void (armed = { statement, when, count }),
    disarm: () => void (armed = undefined),
    get cuts() {
      return cuts;
    },
    /** Calls `kill` for the process behind the proxy at the given message. */
    killAt: (when: CrashPoint, kill: () => void) => void (death = { ...when, kill }),
    /** Number of open sockets on both sides; those to the server close when the backend ends. */
    get connections() {
      return open.size;
    },
    /** Silences the existing connections; new ones work. */
    strand: () => {
      for (const socket of open) silent.add(socket);
    },
    get stranded() {
      return silent.size;
    },
    /** Ends the next `times` connections, as the server would, as soon as they are ready. */
    sendAway: (times: number) => void (goodbyes = times),
    get goodbyes() {
      return goodbyes;
    },
    stop: () => {
      for (const socket of open) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
