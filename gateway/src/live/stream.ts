import type { ServerResponse } from 'node:http';
import { STREAM_DRAIN_MS } from '../deadlines.ts';
import type { LiveMessage, Position } from './feed.ts';

const MAX_BEHIND_BYTES = 256 * 1024;
const RETRY_MS = 2_000;
const ID = /^([0-9a-z]+)-(\d{1,15})$/;

/** A place between events, as an SSE id. An event has its own id, which stays the same when it is published again. */
const idOf = ({ epoch, seq }: Position) => `${epoch}-${seq}`;

/** The place that a `Last-Event-ID` names; undefined when it names no place. */
export function positionOf(lastEventId: string): Position | undefined {
  const [, epoch, seq] = ID.exec(lastEventId) ?? [];
  return epoch === undefined ? undefined : { epoch, seq: Number(seq) };
}

/** An event as SSE text, made once for all its clients. JSON has no line breaks, so one `data:` line holds it. */
export const frameOf = ({ id, name, data }: LiveMessage) =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** One client's open stream of events. */
export interface EventStream {
  /** Sends the client its place, so that it can resume before its first event. */
  greet(position: Position): void;
  /** Sends an event unless the client already has it or a later one. */
  send(seq: number, frame: string): void;
  /** Sends `resync` ("fetch again"): it is not known any more what was missed. */
  resync(position: Position): void;
  /**
   * A comment line, with the client's place when it has everything up to there: so the place stays recent without
   * events.
   */
  beat(position?: Position): void;
  /** Resolves when the client has read what was written; closes the stream of a client that does not. */
  drained(): Promise<void>;
  isOpen(): boolean;
  /** True once events are sent as they arrive; before that the missed ones are read. */
  isLive: boolean;
  /** An event for this client arrived while the missed ones were read. */
  hasMissed: boolean;
  close(): void;
}

/**
 * Writes events to a response whose headers are sent. A reader that falls too far behind is disconnected and can
 * resume.
 */
export function createEventStream(response: ServerResponse, resumedAt: number): EventStream {
  let lastSent = resumedAt;
  const write = (text: string) => {
    if (response.destroyed || response.writableEnded) return;
    response.write(text);
    if (response.writableLength > MAX_BEHIND_BYTES) response.destroy();
  };
  const stream: EventStream = {
    isLive: false,
    hasMissed: false,
    greet: (position) => {
      lastSent = position.seq;
      write(`: connected\nid: ${idOf(position)}\nretry: ${RETRY_MS}\n\n`);
    },
    send: (seq, frame) => {
      if (seq <= lastSent) return;
      lastSent = seq;
      write(frame);
    },
    resync: (position) => {
      lastSent = position.seq;
      write(`id: ${idOf(position)}\nevent: resync\ndata: {"message":"Fetch again."}\n\n`);
    },
    beat: (position) => {
      if (!stream.isLive || !position || position.seq <= lastSent) return write(':\n\n');
      lastSent = position.seq;
      write(`:\nid: ${idOf(position)}\n\n`);
    },
    drained: async () => {
      if (!response.writableNeedDrain) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(() => response.destroy(), STREAM_DRAIN_MS);
      response.once('drain', resolve);
      response.once('close', resolve);
      await promise;
      clearTimeout(timer);
      response.off('drain', resolve);
      response.off('close', resolve);
    },
    isOpen: () => !response.destroyed && !response.writableEnded,
    close: () => void response.end(),
  };
  return stream;
}
