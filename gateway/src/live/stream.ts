import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { endSoon } from '@tutoring/shared/http/serve/listener';
import { STREAM_CLOSE_MS, STREAM_DRAIN_MS } from '../deadlines.ts';
import type { LiveMessage, Position } from './stored.ts';

const MAX_BEHIND_BYTES = 256 * 1024;
const RETRY_MS = 2_000;
/** For a client that has too many streams: it would otherwise end the next one of them at once. */
const DISPLACED_RETRY_MS = 60_000;
const ID = /^([0-9a-z]+)-(\d{1,15})(?:-([0-9a-f]+))?$/;

/** A place between events, as an SSE id. An event has its own id, which stays the same when it is published again. */
const idOf = ({ epoch, seq, tag }: Position) => `${epoch}-${seq}${tag && `-${tag}`}`;

/** The place that a `Last-Event-ID` names; undefined when it names no place. */
export function positionOf(lastEventId: string): Position | undefined {
  const [, epoch, seq, tag = ''] = ID.exec(lastEventId) ?? [];
  return epoch === undefined ? undefined : { epoch, seq: Number(seq), tag };
}

/** A line of SSE text. A line break in `value` would begin another field, or another event. */
const line = (field: string, value: string) => `${field}: ${value.replaceAll(/[\r\n\0]/g, '')}\n`;

/** An event as SSE text, made once for all its clients. */
export const frameOf = ({ id, name, data }: LiveMessage) =>
  `${line('id', id)}${line('event', name)}${line('data', JSON.stringify(data))}\n`;

/** A piece of a body of unknown length. */
const chunkOf = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const LAST_CHUNK = '0\r\n\r\n';

/** Where a stream is written: a response whose headers are sent, or the connection taken from it. */
type Output = ServerResponse | Socket;

const socketOf = (output: Output) => (output instanceof Socket ? output : output.socket);

/**
 * One client's open stream of events. A reader that falls too far behind, or reads nothing between two heartbeats, is
 * disconnected and can resume. A class, because there are tens of thousands: its functions are not made for each.
 */
export class EventStream {
  /** True once events are sent as they arrive; before that the missed ones are read. */
  isLive = false;
  /** An event for this client arrived while the missed ones were read. */
  hasMissed = false;
  private readonly output: Output;
  /** Whether the headers announced chunks, which a connection does not make by itself. */
  private readonly isChunked: boolean;
  private lastSent: number;
  /** Bytes that had left the process at the last heartbeat. */
  private leftAtBeat = -1;

  constructor(output: Output, options: { resumedAt: number; isChunked: boolean }) {
    this.output = output;
    this.isChunked = options.isChunked && output instanceof Socket;
    this.lastSent = options.resumedAt;
  }

  get isOpen(): boolean {
    return !this.output.destroyed && !this.output.writableEnded;
  }

  /** Begins the stream: with the client's place, if it has none, so that it can resume before its first event. */
  greet(position?: Position): void {
    if (position) this.lastSent = position.seq;
    this.write(`: connected\n${position ? line('id', idOf(position)) : ''}retry: ${RETRY_MS}\n\n`);
  }

  onClose(listener: () => void): void {
    this.output.once('close', listener);
  }

  /** Sends an event unless the client already has it or a later one. */
  send(seq: number, frame: string): void {
    if (seq <= this.lastSent) return;
    this.lastSent = seq;
    this.write(frame);
  }

  /** Sends `resync` ("fetch again"): it is not known any more what was missed. */
  resync(position: Position): void {
    this.lastSent = position.seq;
    this.write(`${line('id', idOf(position))}event: resync\ndata: {"message":"Fetch again."}\n\n`);
  }

  /**
   * A comment line, with the client's place when it has everything up to there: so the place stays recent without
   * events. Disconnects a client that has read nothing since the last one although something waits for it.
   */
  beat(position?: Position): void {
    if (this.isStuck()) {
      this.destroy();
      return;
    }
    if (!this.isLive || !position || position.seq <= this.lastSent) {
      this.write(':\n\n');
      return;
    }
    this.lastSent = position.seq;
    this.write(`:\n${line('id', idOf(position))}\n`);
  }

  /** Resolves when the client has read what was written; closes the stream of a client that does not. */
  async drained(): Promise<void> {
    const { output } = this;
    if (!output.writableNeedDrain) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => output.destroy(), STREAM_DRAIN_MS);
    output.once('drain', resolve);
    output.once('close', resolve);
    await promise;
    clearTimeout(timer);
    output.off('drain', resolve);
    output.off('close', resolve);
  }

  /** Ends the stream because its client has opened too many since, and asks it to wait before it comes back. */
  displace(): void {
    this.write(`retry: ${DISPLACED_RETRY_MS}\n\n`);
    this.close();
  }

  /** Ends the stream. What a client has not read soon afterwards is dropped with the connection. */
  close(): void {
    const { output } = this;
    if (!this.isOpen) return;
    if (output instanceof Socket) {
      if (this.isChunked) output.write(LAST_CHUNK);
      endSoon(output, STREAM_CLOSE_MS);
      return;
    }
    const { socket } = output;
    output.end();
    const timer = setTimeout(() => socket?.resetAndDestroy(), STREAM_CLOSE_MS);
    output.once('close', () => clearTimeout(timer));
  }

  destroy(): void {
    this.output.destroy();
  }

  private isStuck(): boolean {
    const { output } = this;
    const left = (socketOf(output)?.bytesWritten ?? 0) - output.writableLength;
    const isStuck = output.writableLength > 0 && left === this.leftAtBeat;
    this.leftAtBeat = left;
    return isStuck;
  }

  private write(text: string): void {
    const { output } = this;
    if (!this.isOpen) return;
    // Before the write: an event alone may be larger.
    if (output.writableLength > MAX_BEHIND_BYTES) output.destroy();
    else output.write(this.isChunked ? chunkOf(text) : text);
  }
}
