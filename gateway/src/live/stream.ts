import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { closeAfterFlush } from '@tutoring/shared/kit/http/serve/listener';
import { STREAM_CLOSE_MS, STREAM_DRAIN_MS } from '../deadlines.ts';
import type { LiveMessage, Position } from './stored.ts';

/** Unread bytes after which a slow reader is disconnected. */
const MAX_BEHIND_BYTES = 256 * 1024;
const RETRY_MS = 2_000;
/** Sent to a client with too many streams: an immediate reconnect would end the next of them. */
const DISPLACED_RETRY_MS = 60_000;
const ID = /^([0-9a-z]+)-(\d{1,15})(?:-([0-9a-f]+))?$/;

/** A position without an event, as an SSE id. Events have ids of their own, which stay the same when repeated. */
const idOf = ({ epoch, seq, tag }: Position) => `${epoch}-${seq}${tag && `-${tag}`}`;

/** The position in a `Last-Event-ID`; undefined when the id is not a position. */
export function positionOf(lastEventId: string): Position | undefined {
  const [, epoch, seq, tag = ''] = ID.exec(lastEventId) ?? [];
  return epoch === undefined ? undefined : { epoch, seq: Number(seq), tag };
}

/** A line of SSE text, without line breaks from `value`: they would begin another field or event. */
const line = (field: string, value: string) => `${field}: ${value.replaceAll(/[\r\n\0]/g, '')}\n`;

/** An event as SSE text, the same for all clients. */
export const frameOf = ({ id, name, data }: LiveMessage) =>
  `${line('id', id)}${line('event', name)}${line('data', JSON.stringify(data))}\n`;

/** A chunk of a body with chunked transfer encoding. */
const chunkOf = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const LAST_CHUNK = '0\r\n\r\n';

/** What a stream is written to: a response whose headers are sent, or the socket detached from it. */
type Output = ServerResponse | Socket;

const socketOf = (output: Output) => (output instanceof Socket ? output : output.socket);

/**
 * A client's open event stream. A reader that falls too far behind, or reads nothing between two heartbeats, is
 * disconnected and can resume. A class, because a process has tens of thousands: they share their functions.
 */
export class EventStream {
  /** Events are sent as they arrive; before, missed events are read from NATS. */
  isLive = false;
  /** An event for this client arrived while missed events were read. */
  hasMissed = false;
  private readonly output: Output;
  /** The headers announced chunked encoding, which this class applies when it writes to a socket. */
  private readonly isChunked: boolean;
  private lastSent: number;
  /** Bytes handed to the kernel until the last heartbeat. */
  private flushedAtBeat = -1;

  constructor(output: Output, options: { resumedAt: number; isChunked: boolean }) {
    this.output = output;
    this.isChunked = options.isChunked && output instanceof Socket;
    this.lastSent = options.resumedAt;
  }

  get isOpen(): boolean {
    return !this.output.destroyed && !this.output.writableEnded;
  }

  /**
   * Begins the stream. `position` is for a client without a last event id: it can then resume before its first event.
   */
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

  /** Sends `resync` ("fetch again"): the missed events cannot be determined. */
  resync(position: Position): void {
    this.lastSent = position.seq;
    this.write(`${line('id', idOf(position))}event: resync\ndata: {"message":"Fetch again."}\n\n`);
  }

  /**
   * Sends a comment line, with the position when the client has every event up to it, so that its last event id stays
   * recent without events. Disconnects a client that has unread bytes and has read nothing since the last heartbeat.
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

  /** Resolves when the client has read everything written; disconnects a client that does not read in time. */
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

  /** Ends the stream because its client has opened too many later, and asks the client to wait before it reconnects. */
  displace(): void {
    this.write(`retry: ${DISPLACED_RETRY_MS}\n\n`);
    this.close();
  }

  /** Ends the stream. Bytes that the client does not read soon afterwards are lost with the connection. */
  close(): void {
    const { output } = this;
    if (!this.isOpen) return;
    if (output instanceof Socket) {
      if (this.isChunked) output.write(LAST_CHUNK);
      closeAfterFlush(output, STREAM_CLOSE_MS);
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
    const flushed = (socketOf(output)?.bytesWritten ?? 0) - output.writableLength;
    const isStuck = output.writableLength > 0 && flushed === this.flushedAtBeat;
    this.flushedAtBeat = flushed;
    return isStuck;
  }

  private write(text: string): void {
    const { output } = this;
    if (!this.isOpen) return;
    // Checked before the write: a single event may be larger than the limit.
    if (output.writableLength > MAX_BEHIND_BYTES) output.destroy();
    else output.write(this.isChunked ? chunkOf(text) : text);
  }
}
