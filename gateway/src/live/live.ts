import { setTimeout as delay } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { takeSocket } from '@tutoring/shared/http/serve/listener';
import type { Revocation } from '../admission/revocations.ts';
import type { Auth } from '../admission/verdicts.ts';
import type { Deps } from '../config.ts';
import { FEED_START_MS } from '../deadlines.ts';
import { exchangeOf, type Bearer } from '../exchange/exchange.ts';
import { headersOf, refuseMethod, refuseOwn, refuseUnavailable } from '../exchange/respond.ts';
import { audienceOf, createAudiences, watchTokens, type Listener } from './audience.ts';
import { startLiveFeed } from './feed.ts';
import type { LiveMessage } from './stored.ts';
import { EventStream, frameOf, positionOf } from './stream.ts';

/** Parts of a heartbeat's period. */
const SLOTS = 20;
/** A repeated event comes some minutes later at most: so many events are remembered meanwhile. */
const REMEMBERED = 25_000;

/** Remembers where events were first published: at least the newest `size`, at most twice as many. */
function createFirstPlaces(size: number) {
  let newer = new Map<string, number>();
  let older = new Map<string, number>();
  return {
    /** Whether the event is at `seq` for the first time, as far as is remembered. */
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
    /** What is remembered counts as published before every place: the stream gives its places to others. */
    reset(): void {
      for (const places of [newer, older]) for (const id of places.keys()) places.set(id, 0);
    },
  };
}

/** Beats every item once a period, with one timer for all, spread over the period. */
function createPulse<Item>(periodMs: number, beat: (item: Item) => void) {
  const slots = Array.from({ length: SLOTS }, () => new Set<Item>());
  let at = 0;
  const slot = () => slots[at] ?? new Set<Item>();
  const timer = setInterval(() => {
    at = (at + 1) % SLOTS;
    for (const item of slot()) beat(item);
  }, periodMs / SLOTS);

  return {
    /** The first beat comes a period later. */
    add: (item: Item) => void slot().add(item),
    remove: (item: Item) => void slots.some((items) => items.delete(item)),
    stop: () => clearInterval(timer),
  };
}

/** The last event that a client names: in the header, or in the query, where a browser's page can name it. */
const lastEventIdOf = (req: Request) =>
  req.get('last-event-id') || new URLSearchParams(req.url.split('?')[1]).get('lastEventId') || undefined;

type Start = { kind: 'fresh' | 'foreign' } | { kind: 'resume'; after: number };

/** `GET api/events`: Server-Sent Events for users and administrators, resumable by `Last-Event-ID`. */
export function createEvents(deps: Deps, auth: Auth) {
  const { timings, logger } = deps;
  const audiences = createAudiences();
  const places = createFirstPlaces(REMEMBERED);

  function handOut(message: LiveMessage): void {
    if (!places.isFirst(message.id, message.seq)) return;
    let frame: string | undefined;
    for (const { stream } of audiences.at(message.address)) {
      if (stream.isLive) stream.send(message.seq, (frame ??= frameOf(message)));
      else stream.hasMissed = true;
    }
  }

  /** Up to this place nobody resumes: who has which of the events that are published again is not known. */
  let loss = { at: -1, isNewStream: false };

  function resyncAll(isNewStream: boolean): void {
    const position = feed.position();
    if (!position) return;
    loss = { at: position.seq, isNewStream };
    places.reset();
    for (const { stream } of audiences.all()) {
      stream.resync(position);
      stream.isLive = true;
    }
  }

  const feed = startLiveFeed(deps, { isHeard: audiences.isHeard, onMessage: handOut, onReset: resyncAll });

  /** Where a client starts that names its last event, or a place between events; undefined when it is not known now. */
  async function startOf(lastEventId: string | undefined, audience: string): Promise<Start | undefined> {
    const position = feed.position();
    if (!position) return undefined;
    // An empty one is what a client sends that has heard nothing yet.
    if (!lastEventId) return { kind: 'fresh' };
    const { epoch, seq } = position;
    const bounds = await feed.bounds();
    // Also before the feed notices that it cannot continue: it then sends `resync` to everybody, and once is enough.
    if (bounds.epoch !== epoch || bounds.last < seq) return undefined;
    const last = positionOf(lastEventId);
    if (!last) {
      const after = await feed.find(audience, lastEventId);
      if (after === undefined || after <= loss.at) return { kind: 'foreign' };
      places.isFirst(lastEventId, after);
      return { kind: 'resume', after };
    }
    // In a new stream all places are from after the loss.
    const isKnown = (loss.isNewStream || last.seq > loss.at) && (await feed.holds(last, bounds));
    return isKnown ? { kind: 'resume', after: last.seq } : { kind: 'foreign' };
  }

  /**
   * Sends what the client missed, round by round until nothing new came for it meanwhile; from then on events are sent
   * as they arrive.
   */
  async function catchUp(stream: EventStream, audience: string, after: number): Promise<void> {
    let from = after;
    do {
      stream.hasMissed = false;
      const upTo = Math.max(from, feed.position()?.seq ?? 0);
      for await (const message of feed.read(audience, from, upTo)) {
        // The client disconnected, or a reset of the stream sent it `resync` meanwhile.
        if (!stream.isOpen || stream.isLive) return;
        // A repeat: its first place is before this client's, or it was just sent.
        if (!places.isFirst(message.id, message.seq)) continue;
        stream.send(message.seq, frameOf(message));
        await stream.drained();
      }
      from = upTo;
    } while (stream.hasMissed && !stream.isLive);
    stream.isLive = true;
  }

  // A comment line shows that the connection works.
  const pulse = createPulse<Listener>(timings.streamHeartbeat, ({ stream }) => stream.beat(feed.position()));
  const checks = watchTokens(deps, auth, audiences.all);

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
    const listener: Listener = { caller, token, stream, doubtfulSince: undefined };
    audiences.add(listener);
    pulse.add(listener);
    stream.onClose(() => {
      pulse.remove(listener);
      audiences.remove(listener);
    });
    if (start.kind === 'resume') {
      stream.greet();
      await catchUp(stream, audienceOf(caller), start.after).catch((error: unknown) => {
        logger.warn({ err: error, request_id: exchange.id }, 'an event stream broke off');
        stream.destroy();
      });
      return;
    }
    stream.greet(position);
    if (start.kind === 'foreign') stream.resync(position);
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
      // A revocation that came meanwhile has found no stream to close; from here on it finds this one.
      const { kind } = await auth.verify(token, language);
      if (kind === 'bad') return refuseOwn(res, 'unauthenticated');
      if (kind === 'unknown') return refuseUnavailable(res);
      await open(start, verdict.caller, token, res);
    },
    /** Closes the streams of a revoked bearer. */
    revoke: (revocation: Revocation) => {
      for (const { stream } of audiences.revoked(revocation)) stream.close();
    },
    stop: () => {
      pulse.stop();
      checks.stop();
      for (const { stream } of audiences.all()) stream.close();
      feed.stop();
    },
  };
}
