import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { STREAM_DRAIN_MS } from '../deadlines.ts';
import type { LiveMessage, Position } from './stored.ts';

const MAX_BEHIND_BYTES = 256 * 1024;
const RETRY_MS = 2_000;
const ID = /^([0-9a-z]+)-(\d{1,15})(?:-([0-9a-f]+))?$/;

/** A place between events, as an SSE id. An event has its own id, which stays the same when it is published again. */
const idOf = ({ epoch, seq, tag }: Position) => `${epoch}-${seq}${tag && `-${tag}`}`;

/** The place that a `Last-Event-ID` names; undefined when it names no place. */
export function positionOf(lastEventId: string): Position | undefined {
  const [, epoch, seq, tag = ''] = ID.exec(lastEventId) ?? [];
  return epoch === undefined ? undefined : { epoch, seq: Number(seq), tag };
}

/** An event as SSE text, made once for all its clients. JSON has no line breaks, so one `data:` line holds it. */
export const frameOf = ({ id, name, data }: LiveMessage) =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** A piece of a body of unknown length. */
const chunkOf = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const LAST_CHUNK = '0\r\n\r\n';

/**
 * One client's open stream of events, on a response whose headers are sent, or on the connection taken from it. A reader that falls too far behind is
 * disconnected and can resume. A class, because there are tens of thousands: its functions are not made for each.
 */
export class EventStream {
  /** True once events are sent as they arrive; before that the missed ones are read. */
  isLive = false;
  /** An event for this client arrived while the missed ones were read. */
  hasMissed = false;
  private readonly output: ServerResponse | Socket;
  private lastSent: number;

  constructor(output: ServerResponse | Socket, resumedAt: number) {
    this.output = output;
    this.lastSent = resumedAt;
  }

  get isOpen(): boolean {
    return !this.output.destroyed && !this.output.writableEnded;
  }

  /** Sends the client its place, so that it can resume before its first event. */
  greet(position: Position): void {
    this.lastSent = position.seq;
    this.write(`: connected\nid: ${idOf(position)}\nretry: ${RETRY_MS}\n\n`);
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
    this.write(`id: ${idOf(position)}\nevent: resync\ndata: {"message":"Fetch again."}\n\n`);
  }

  /**
   * A comment line, with the client's place when it has everything up to there: so the place stays recent without
   * events.
   */
  beat(position?: Position): void {
    if (!this.isLive || !position || position.seq <= this.lastSent) {
      this.write(':\n\n');
      return;
    }
    this.lastSent = position.seq;
    this.write(`:\nid: ${idOf(position)}\n\n`);
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

  close(): void {
    const { output } = this;
    if (!(output instanceof Socket)) output.end();
    else if (this.isOpen) {
      output.write(LAST_CHUNK);
      output.destroySoon();
    }
  }

  destroy(): void {
    this.output.destroy();
  }

  private write(text: string): void {
    const { output } = this;
    if (!this.isOpen) return;
    // Before the write: an event alone may be larger.
    if (output.writableLength > MAX_BEHIND_BYTES) output.destroy();
    else output.write(output instanceof Socket ? chunkOf(text) : text);
  }
}
