import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** `ReadyForQuery` with state idle: the end of every response of PostgreSQL outside a transaction. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1');
const COMMIT = /\bcommit\b/i;

/** PostgreSQL's message before it closes a connection: FATAL, 57P01. */
function fatalMessage(): Buffer {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0', 'latin1');
  const head = Buffer.from('E\0\0\0\0', 'latin1');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

export interface Line {
  port: number;
  /** Number of connections that were cut on purpose. */
  cuts(): number;
  /** Closes every connection; new ones work. */
  cut(): void;
  /** Holds back all bytes, also on new connections; the returned function forwards them. */
  silence(): () => void;
  /** Existing connections stay open but drop all bytes; new ones work. The returned function closes them. */
  strand(): () => void;
  /** Closes existing and new connections. The returned function accepts connections again. */
  refuse(): () => void;
  /** Cuts the connection instead of forwarding the answer to COMMIT, every `nth` time. */
  dropCommitAnswers(nth: number): () => void;
  /** Sends PostgreSQL's FATAL right after `ReadyForQuery` and closes the connection, every `nth` time. */
  terminate(nth: number): () => void;
  /** Cuts each connection after `afterBytes()` bytes. */
  tear(afterBytes: () => number): () => void;
  stop(): Promise<void>;
}

interface Pair {
  client: Socket;
  server: Socket;
  stranded: boolean;
  committing: boolean;
  left: number;
}

/** `isDue` returns true on every nth call; 0: never. */
function everyNth() {
  let nth = 0;
  let count = 0;
  return {
    set: (next: number) => void (nth = next),
    isDue: () => nth > 0 && (count += 1) % nth === 0,
  };
}

/** A TCP proxy in front of a server on 127.0.0.1 whose connections can be cut, silenced and torn at any byte. */
export async function startLine(target: () => number): Promise<Line> {
  const pairs = new Set<Pair>();
  const commits = everyNth();
  const terminations = everyNth();
  let silent = false;
  let refusing = false;
  let tearing: (() => number) | undefined;
  let cuts = 0;

  const destroy = ({ client, server }: Pair) => {
    client.destroy();
    server.destroy();
  };
  const tearDown = (pair: Pair) => {
    cuts += 1;
    destroy(pair);
  };

  function toServer(pair: Pair, chunk: Buffer): void {
    if (pair.stranded) return;
    if (COMMIT.test(chunk.toString('latin1')) && commits.isDue()) pair.committing = true;
    pair.server.write(chunk);
  }

  function toClient(pair: Pair, chunk: Buffer): void {
    if (pair.stranded) return;
    if (pair.committing) return tearDown(pair);
    if (pair.left < chunk.length) {
      pair.client.write(chunk.subarray(0, pair.left), () => tearDown(pair));
      pair.left = Infinity;
      return;
    }
    pair.left -= chunk.length;
    if (chunk.subarray(-READY.length).equals(READY) && terminations.isDue()) {
      cuts += 1;
      return void pair.client.end(Buffer.concat([chunk, fatalMessage()]), () => destroy(pair));
    }
    pair.client.write(chunk);
  }

  const server = createServer({ noDelay: true }, (client) => {
    if (refusing) return void client.destroy();
    const upstream = connect({ port: target(), host: '127.0.0.1', noDelay: true });
    const pair: Pair = { client, server: upstream, stranded: false, committing: false, left: tearing?.() ?? Infinity };
    pairs.add(pair);
    for (const socket of [client, upstream])
      socket
        .on('error', () => destroy(pair))
        .on('close', () => {
          pairs.delete(pair);
          // A stranded connection must not notice that the other side is closed.
          if (!pair.stranded || socket === client) destroy(pair);
        });
    client.on('data', (chunk: Buffer) => toServer(pair, chunk));
    upstream.on('data', (chunk: Buffer) => toClient(pair, chunk));
    if (silent) for (const socket of [client, upstream]) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const all = (work: (pair: Pair) => void) => pairs.forEach(work);

  return {
    port: (server.address() as AddressInfo).port,
    cuts: () => cuts,
    cut: () => all(tearDown),
    silence: () => {
      silent = true;
      all(({ client, server: upstream }) => void [client, upstream].map((socket) => socket.pause()));
      return () => {
        silent = false;
        all(({ client, server: upstream }) => void [client, upstream].map((socket) => socket.resume()));
      };
    },
    strand: () => {
      const stranded = [...pairs];
      for (const pair of stranded) pair.stranded = true;
      return () => stranded.forEach(destroy);
    },
    refuse: () => {
      refusing = true;
      all(tearDown);
      return () => void (refusing = false);
    },
    dropCommitAnswers: (nth) => {
      commits.set(nth);
      return () => commits.set(0);
    },
    terminate: (nth) => {
      terminations.set(nth);
      return () => terminations.set(0);
    },
    tear: (afterBytes) => {
      tearing = afterBytes;
      all((pair) => (pair.left = afterBytes()));
      return () => {
        tearing = undefined;
        all((pair) => (pair.left = Infinity));
      };
    },
    stop: () => {
      all(destroy);
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
