import pg from 'pg';
import { KEEP_ALIVE_AFTER_MS, SILENCE_MS, STATEMENT_MS } from '../process/deadlines.ts';
import type { Outage } from '../process/logger.ts';

const TIMESTAMPTZ = 1184;
const INT8 = 20;
const NUMERIC = 1700;

/** PostgreSQL's `2026-11-20 21:04:06.5+00` as `2026-11-20T21:04:06.500000Z`; sessions run in UTC. */
export function isoMicroseconds(text: string): string {
  const match = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/.exec(text);
  if (!match) return text;
  return `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(6, '0')}Z`;
}

/** int8 as a JavaScript number; throws rather than lose a digit. */
export function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a JavaScript number`);
  return value;
}

/** Parsers of column types; pg's defaults apply to all other types. */
export const columnTypes = new pg.TypeOverrides();
columnTypes.setTypeParser(TIMESTAMPTZ, isoMicroseconds);
columnTypes.setTypeParser(INT8, safeInteger);
columnTypes.setTypeParser(NUMERIC, safeInteger);

/** TCP keep-alive of all connections. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS };

/** A connection could not be established (SQLSTATE 08001). */
class ConnectionRefused extends Error {
  override readonly name = 'ConnectionRefused';
  readonly code = '08001';
}

/** The server did not reply in time; the connection is destroyed (SQLSTATE 08006). */
class ConnectionSilent extends Error {
  override readonly name = 'ConnectionSilent';
  readonly code = '08006';
}

/**
 * A client class for one pool that closes dead connections. When a statement has no reply after `statementMs` plus a
 * grace period, its connection is destroyed, and with it every idle connection that has received nothing since.
 * Reports each successful and failed connection attempt to `outage`. (pg's `query_timeout` is not used: it closes only
 * the connection of its own statement, and its error has no SQLSTATE.)
 */
export function watchedClients(statementMs = STATEMENT_MS, outage?: Outage) {
  const open = new Set<Watched>();

  class Watched extends pg.Client {
    /** The session's current statement_timeout, in milliseconds. */
    statementMs = statementMs;
    private inFlight = 0;
    private lastReplyAt = performance.now();

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      // The pool removes its listener while a connection is checked out. Without this one an error would end the
      // process; the next statement returns the error to its caller.
      this.on('error', () => undefined);
      this.once('end', () => open.delete(this));
      open.add(this);
      const send = this.query.bind(this) as (...args: unknown[]) => unknown;
      this.query = ((...args: unknown[]) => this.watch(send, args)) as typeof this.query;
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const refused = (cause: Error) => {
        outage?.failed(cause);
        return new ConnectionRefused('no connection to the database', { cause });
      };
      if (!callback) return super.connect().catch((error: unknown) => Promise.reject(refused(error as Error)));
      // pg reports success by omitting the error.
      super.connect((error: Error | null) => {
        if (!error) outage?.recovered();
        callback((error && refused(error)) as Error);
      });
      return undefined;
    }

    private watch(send: (...args: unknown[]) => unknown, args: unknown[]): unknown {
      const since = performance.now();
      const timer = setTimeout(() => this.giveUp(since), this.statementMs + SILENCE_MS);
      this.corkUntilNextTick();
      this.inFlight += 1;
      const settled = () => {
        clearTimeout(timer);
        this.inFlight -= 1;
        this.lastReplyAt = performance.now();
      };
      const callback = args.at(-1);
      if (typeof callback === 'function') {
        const answer = (...answers: unknown[]) => {
          settled();
          (callback as (...values: unknown[]) => void)(...answers);
        };
        return send(...args.slice(0, -1), answer);
      }
      return (send(...args) as Promise<unknown>).finally(settled);
    }

    /** Sends the messages of one tick in a single write. */
    private corkUntilNextTick(): void {
      const { stream } = this.connection;
      stream.cork();
      process.nextTick(() => stream.uncork());
    }

    /** Closes the connections without a statement in flight (and without a reply since `silentSince`). */
    static dropIdle(silentSince = Infinity): void {
      for (const client of open) if (client.inFlight === 0 && client.lastReplyAt < silentSince) client.destroy();
    }

    private giveUp(since: number): void {
      this.destroy();
      Watched.dropIdle(since);
    }

    private destroy(): void {
      this.connection.stream.destroy(new ConnectionSilent('the database did not answer'));
    }
  }

  return Watched;
}

export type WatchedClient = InstanceType<ReturnType<typeof watchedClients>>;
