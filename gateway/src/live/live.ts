import { setTimeout as delay } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { takeSocket } from '@tutoring/shared/kit/http/serve/listener';
import type { Revocation } from '../admission/revocations.ts';
import type { Auth } from '../admission/verdicts.ts';
import type { Parts } from '../parts.ts';
import { FEED_START_MS } from '../deadlines.ts';
import { exchangeOf, type Bearer } from '../exchange/exchange.ts';
import { headersOf, refuseMethod, refuseOwn, refuseUnavailable } from '../exchange/respond.ts';
import { audienceOf, createAudiences, watchTokens, type Listener } from './audience.ts';
import { startLiveFeed } from './feed.ts';
import { framesOf, mayReceive } from './recipients.ts';
import { boundsOf, continuesFrom, findSequence, readEvents, type LiveMessage } from './stored.ts';
import { EventStream, positionOf } from './stream.ts';

/** A heartbeat's period is divided into this many slots. */
const SLOTS = 20;
/** Events kept for deduplication: more than arrive in the few minutes within which an event may be repeated. */
const DEDUPLICATED_EVENTS = 25_000;

/** Remembers the first sequences of recent events: at least of the newest `size`, at most of twice as many. */
function createDeduplicator(size: number) {
  let newer = new Map<string, number>();
  let older = new Map<string, number>();
  return {
    /** False when the event is known to have an earlier sequence than `seq`. */
    isFirst(id: string, seq: number): boolean {
      const known = newer.get(id) ?? older.get(id);
      if (known !== undefined && known < seq) return false;
      if (newer.size >= size) {
        older = newer;
        newer = new Map();
      }
      newer.set(id, seq);
      return true;
    },
    /** Makes every remembered event older than all sequences, because the stream assigns the old sequences again. */
    reset(): void {
      for (const sequences of [newer, older]) for (const id of sequences.keys()) sequences.set(id, 0);
    },
  };
}

/** Calls `beat` for every item once a period: with a single timer, and spread over the period. */
function createHeartbeat<Item>(periodMs: number, beat: (item: Item) => void) {
  const slots = Array.from({ length: SLOTS }, () => new Set<Item>());
  let at = 0;
  const slot = () => slots[at] ?? new Set<Item>();
  const timer = setInterval(() => {
    at = (at + 1) % SLOTS;
    for (const item of slot()) beat(item);
  }, periodMs / SLOTS);

  return {
    /** Adds an item, whose first beat is one period later. */
    add: (item: Item) => void slot().add(item),
    remove: (item: Item) => void slots.some((items) => items.delete(item)),
    stop: () => clearInterval(timer),
  };
}

/** The id of the client's last event: from the header, or from the query, because browsers cannot set the header. */
const lastEventIdOf = (req: Request) =>
  req.get('last-event-id') || new URLSearchParams(req.url.split('?')[1]).get('lastEventId') || undefined;

/** `new`: from now on. `unknown`: from now on, after `resync`, because missed events cannot be determined. */
type Start = { kind: 'new' | 'unknown' } | { kind: 'resume'; after: number };

/** `GET api/events`: Server-Sent Events for users and administrators, resumable by `Last-Event-ID`. */
export function createEvents(parts: Parts, auth: Auth) {
  const { timings, logger } = parts;
  const audiences = createAudiences();
  const deduplicator = createDeduplicator(DEDUPLICATED_EVENTS);

  function deliver(message: LiveMessage): void {
    if (!deduplicator.isFirst(message.id, message.seq)) return;
    const frameFor = framesOf(message);
    for (const { stream, caller } of audiences.at(message.address)) {
      if (!mayReceive(caller, message)) continue;
      if (stream.isLive) stream.send(message.seq, frameFor(caller));
      else stream.hasMissed = true;
    }
  }

  /**
   * No client resumes from a position up to this sequence: the stream lost events, and it is not known which clients
   * already have the events that are published again.
   */
  let loss = { seq: -1, isNewStream: false };

  function resyncAll(isNewStream: boolean): void {
    const position = feed.position();
    if (!position) return;
    loss = { seq: position.seq, isNewStream };
    deduplicator.reset();
    for (const { stream } of audiences.all()) {
      stream.resync(position);
      stream.isLive = true;
    }
  }

  const feed = startLiveFeed(parts, { hasListeners: audiences.hasListeners, onMessage: deliver, onReset: resyncAll });

  /** Where a client's stream starts, from its last event or position; undefined when that cannot be determined now. */
  async function startOf(lastEventId: string | undefined, audience: string): Promise<Start | undefined> {
    const position = feed.position();
    if (!position) return undefined;
    // Clients send an empty id before their first event.
    if (!lastEventId) return { kind: 'new' };
    const { epoch, seq } = position;
    const bounds = await boundsOf(parts);
    // The feed will soon notice that it cannot continue and send `resync` to every open stream: do not send it twice.
    if (bounds.epoch !== epoch || bounds.last < seq) return undefined;
    const last = positionOf(lastEventId);
    if (!last) {
      const after = await findSequence(parts, audience, lastEventId);
      if (after === undefined || after <= loss.seq) return { kind: 'unknown' };
      deduplicator.isFirst(lastEventId, after);
      return { kind: 'resume', after };
    }
    // All positions in a recreated stream are later than the loss.
    const isKnown = (loss.isNewStream || last.seq > loss.seq) && (await continuesFrom(parts, last, bounds));
    return isKnown ? { kind: 'resume', after: last.seq } : { kind: 'unknown' };
  }

  /**
   * Sends the events that the client missed, until none arrives while they are read; from then on events are sent as
   * they arrive.
   */
  async function catchUp(stream: EventStream, caller: Bearer, after: number): Promise<void> {
    const audience = audienceOf(caller);
    let from = after;
    do {
      stream.hasMissed = false;
      const upTo = Math.max(from, feed.position()?.seq ?? 0);
      for await (const message of readEvents(parts, audience, from, upTo)) {
        // The client has disconnected, or was sent `resync` because the stream was reset.
        if (!stream.isOpen || stream.isLive) return;
        // A repeated event: the client already has it.
        if (!deduplicator.isFirst(message.id, message.seq)) continue;
        if (!mayReceive(caller, message)) continue;
        stream.send(message.seq, framesOf(message)(caller));
        await stream.drained();
      }
      from = upTo;
    } while (stream.hasMissed && !stream.isLive);
    stream.isLive = true;
  }

  // A comment line shows the client that the connection works.
  const heartbeat = createHeartbeat<Listener>(timings.streamHeartbeat, ({ stream }) => stream.beat(feed.position()));
  const checks = watchTokens(parts, auth, audiences.all);

  async function open(start: Start, caller: Bearer, token: string, res: Response): Promise<void> {
    const exchange = exchangeOf(res);
    const position = feed.position();
    if (!position || res.destroyed) return;
    const headers = ['Content-Type', 'text/event-stream; charset=utf-8', 'X-Accel-Buffering', 'no'];
    res.writeHead(200, headersOf(exchange, 200, headers));
    res.flushHeaders();
    const resumedAt = start.kind === 'resume' ? start.after : position.seq;
    const { chunkedEncoding: isChunked } = res;
    const stream = new EventStream(takeSocket(res.req, res) ?? res, { resumedAt, isChunked });
    const listener: Listener = { caller, token, stream, unconfirmedSince: undefined };
    audiences.add(listener);
    heartbeat.add(listener);
    stream.onClose(() => {
      heartbeat.remove(listener);
      audiences.remove(listener);
    });
    if (start.kind === 'resume') {
      stream.greet();
      await catchUp(stream, caller, start.after).catch((error: unknown) => {
        logger.warn(
          { err: error, request_id: exchange.id },
          'the missed events of a client could not be read: its stream is closed and it will reconnect',
        );
        stream.destroy();
      });
      return;
    }
    stream.greet(position);
    if (start.kind === 'unknown') stream.resync(position);
    stream.isLive = true;
  }

  return {
    handle: async (req: Request, res: Response): Promise<void> => {
      const { verdict, method, token, language } = exchangeOf(res);
      if (method !== 'GET') return refuseMethod(res, 'GET, OPTIONS');
      if (verdict?.kind === 'unknown') return refuseUnavailable(res);
      if (verdict?.kind !== 'good' || token === undefined) return refuseOwn(res, 'unauthenticated');
      if (!feed.position()) await Promise.race([feed.started, delay(FEED_START_MS, undefined, { ref: false })]);
      const start = await startOf(lastEventIdOf(req), audienceOf(verdict.caller)).catch(() => undefined);
      if (!start) return refuseUnavailable(res);
      // A revocation that arrived meanwhile found no stream to close, so the token is verified again.
      const current = await auth.verify(token, language);
      if (current.kind === 'unknown') return refuseUnavailable(res);
      if (current.kind !== 'good') return refuseOwn(res, 'unauthenticated');
      await open(start, current.caller, token, res);
    },
    /** Closes the streams of revoked tokens. */
    revoke: (revocation: Revocation) => {
      for (const { stream } of audiences.revoked(revocation)) stream.close();
    },
    stop: () => {
      heartbeat.stop();
      checks.stop();
      for (const { stream } of audiences.all()) stream.close();
      feed.stop();
    },
  };
}
