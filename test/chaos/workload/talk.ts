import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { form } from '@tutoring/shared/testing/upload';
import type { ExpectedMessage, Pair } from '../oracle/oracle.ts';
import type { Random } from '../seed.ts';
import type { Person, Staff } from '../person.ts';
import type { World } from '../world.ts';
import type { Client } from './client.ts';

interface Shown {
  id: number;
  message: string;
}

/** Writes messages to the partner, to support, and from support to a user. */
export function createWriter(world: World, client: Client) {
  async function write(expected: ExpectedMessage, by: Staff, path: string, random: Random): Promise<void> {
    world.oracle.messages.set(expected.text, expected);
    const sendAs = random.pick([client.ask, client.ask, client.ask, client.askOnce]);
    const body = { message: expected.text, type: 'message' };
    const answer = await sendAs<Shown>({ method: 'POST', path, by, body, keyed: true });
    if (answer.kind !== 'done') return;
    expected.made = 'must';
    expected.id = answer.data.id;
    if (path.startsWith('api/admin') || !random.chance(0.15)) return;
    // A confirmed message must be readable immediately.
    const found = await client.get<Shown[]>({ path: `${path}?after=${answer.data.id - 1}&limit=1`, by });
    if (found && !found.some(({ id, message }) => id === answer.data.id && message === expected.text))
      world.record.violation('a confirmed message cannot be read', { path, id: answer.data.id });
  }

  return {
    toPartner: (pair: Pair, by: Person, random: Random) => {
      const text = world.oracle.nextText();
      const expected: ExpectedMessage = { room: pair.room, sender: by.id, text, made: 'may' };
      return write(expected, by, `api/rooms/${pair.room}/messages`, random);
    },
    toSupport: (by: Person, random: Random) => {
      const text = world.oracle.nextText();
      const expected: ExpectedMessage = { room: `support:${by.id}`, sender: by.id, text, made: 'may' };
      return write(expected, by, 'api/support/messages', random);
    },
    /** Each answer of an administrator creates an audit entry. */
    toUser: async (admin: Staff, { id }: Person, random: Random) => {
      const rooms = await client.get<{ uuid: string }[]>({ path: `api/admin/rooms?user_id=${id}`, by: admin });
      const [room] = rooms ?? [];
      if (!room) return;
      const text = world.oracle.nextText();
      const expected: ExpectedMessage = { room: `support:${id}`, sender: admin.id, text, made: 'may' };
      await write(expected, admin, `api/admin/rooms/${room.uuid}/messages`, random);
    },
  };
}

/** Uploads a file and sends it; some connections break during the upload. */
export function createUploader(world: World, client: Client) {
  return async ({ room }: Pair, by: Person, random: Random): Promise<void> => {
    const isImage = random.chance(0.3);
    const bytes = isImage
      ? drawing(random.between(10, 60))
      : Buffer.concat([Buffer.from('plain bytes '), randomBytes(random.between(100, 60_000))]);
    const { type, body } = form(bytes, {
      name: isImage ? 'drawing.png' : 'notes.bin',
      type: 'application/octet-stream',
    });
    const since = world.record.now();
    const breaksAt = random.chance(0.2) ? random.between(1, body.length - 1) : undefined;
    const pieces = breaksAt === undefined ? body : brokenBody(body, breaksAt);
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${by.token}`, 'content-type': type },
      body: pieces,
      duplex: 'half',
      signal: AbortSignal.timeout(30_000),
    };
    const answer = await fetch(`${world.stack.url}/api/rooms/${room}/files`, init as RequestInit)
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => undefined);
    const outcome = answer === undefined ? 'lost' : answer.status === 200 ? 'done' : `transient ${answer.status}`;
    if (breaksAt === undefined) world.record.answered({ since, outcome });
    if (answer === undefined) return;
    const shown =
      answer.status === 200 ? (JSON.parse(answer.text) as { success: boolean; data: { url: string } }) : null;
    if (shown?.success) {
      if (breaksAt !== undefined) world.record.violation('an incomplete upload was accepted', answer.text);
      const { url } = shown.data;
      world.oracle.files.push({ url, bytes: isImage ? undefined : bytes });
      const text = world.oracle.nextText();
      const expected: ExpectedMessage = { room, sender: by.id, text, made: 'may' };
      world.oracle.messages.set(text, expected);
      const linked = { message: text, message_link: url, type: 'file' };
      const path = `api/rooms/${room}/messages`;
      const sent = await client.ask<Shown>({ method: 'POST', path, by, body: linked, keyed: true });
      if (sent.kind === 'done') Object.assign(expected, { made: 'must', id: sent.data.id });
    } else if (![400, 408, 429, 502, 503, 504].includes(answer.status))
      world.record.violation(`unexplained ${answer.status}`, `POST upload: ${answer.text.slice(0, 500)}`);
  };
}

/** A PNG of this width and height. */
function drawing(size: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const text = Buffer.concat([Buffer.from(name, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(text));
    return Buffer.concat([length, text, sum]);
  };
  const head = Buffer.from([0, 0, 0, size, 0, 0, 0, size, 8, 0, 0, 0, 0]);
  const rows = Array.from({ length: size }, () => Buffer.concat([Buffer.from([0]), randomBytes(size)]));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixels = chunk('IDAT', deflateSync(Buffer.concat(rows)));
  return Buffer.concat([signature, chunk('IHDR', head), pixels, chunk('IEND', Buffer.alloc(0))]);
}

/** A request body whose connection breaks after `at` bytes. */
const brokenBody = (body: Buffer, at: number) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(body.subarray(0, at));
      setTimeout(() => controller.error(new Error('the connection breaks')), 50);
    },
  });
