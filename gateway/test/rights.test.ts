import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { TRANSIENT_ADDRESS } from '@tutoring/shared/contract/desk';
import { infra } from '@tutoring/shared/testing/infra';
import { signerOf } from '@tutoring/shared/testing/keys';
import { eventually } from '@tutoring/shared/testing/wait';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import { framesOf, mayReceive } from '../src/live/recipients.ts';
import { listen, type Listening } from './listener.ts';
import { connectRelay, type Relay } from './relay.ts';
import { answers } from './stand-in.ts';
import { admin, startSystem, student, type System } from './system.ts';

let system: System;
let relay: Relay;
const open: Listening[] = [];
beforeAll(async () => {
  // Verdicts end by revocation alone, and those of streams by the check with identity.
  system = await startSystem({
    timings: { verdict: 600_000, natsSilence: 60_000, streamCheck: 50, streamVerdict: 500 },
  });
  relay = await connectRelay(infra().natsUrl, system.prefix);
});
afterEach(() => {
  for (const listener of open.splice(0)) listener.hangUp();
});
afterAll(async () => {
  await relay.close();
  await system.stop();
});

let nextId = 100;
beforeEach(() => {
  nextId += 1;
});

const clerk = (rights?: string[], id = nextId): AdminCaller => ({
  ...admin(id),
  level: 'default',
  ...(rights && { rights }),
});

/** Identity after a change of roles: it answers with the new rights, and publishes that verdicts are out of date. */
async function giveRights(rights: string[], id = nextId) {
  system.login(clerk(rights, id));
  relay.bus.connection.publish(
    relay.bus.subject('hints.tokens.revoked'),
    JSON.stringify({ subject: `admin:${id}`, token_ids: [id] }),
  );
  await relay.bus.connection.flush();
}

async function listening(token: string, lastEventId?: string) {
  const listener = await listen(system.gateway.url, token, lastEventId === undefined ? {} : { lastEventId });
  open.push(listener);
  await eventually('the stream has begun', () => listener.comments > 0 || listener.isClosed);
  return listener;
}
const names = ({ events }: Listening) => events.map(({ event }) => event);

/** One event of each kind for administrators, then one that everybody with `desk` or `trust` notices. */
const publishAll = async () => {
  for (const name of ['report.created', 'support.message', 'message.read', 'room.read'])
    await relay.publish('admins', { name }, name);
};

describe('live events for administrators', () => {
  test.each<[string, AdminCaller['rights'], string[]]>([
    ['with desk', ['desk', 'people'], ['support.message', 'message.read', 'room.read']],
    ['with trust', ['trust'], ['report.created']],
    ['of an older release of identity', undefined, ['report.created', 'support.message', 'message.read', 'room.read']],
  ])('are sent and replayed to those with the right: an administrator %s', async (_who, rights, expected) => {
    const token = system.login(clerk(rights));
    const live = await listening(token);
    const start = live.lastEventId!;
    // No administrator gets an event that declares no right.
    await relay.publish('admins', { id: 1 }, 'message.created');
    await publishAll();
    await live.until(expected.length);
    expect(names(live)).toEqual(expected);
    const replayed = await listening(token, start);
    await replayed.until(expected.length);
    expect(names(replayed)).toEqual(expected);
  });

  test('that no database keeps are sent to those with the right, and never replayed', async () => {
    const token = system.login(clerk(['desk']));
    const outsider = await listening(system.login(clerk(['trust'], nextId + 10_000)));
    const live = await listening(token);
    const start = live.lastEventId!;
    await relay.publish(TRANSIENT_ADDRESS, { case_id: 1, id: 2, name: 'Bob', state: 'typing' }, 'desk.presence');
    await publishAll();
    await live.until(4);
    expect(names(live)).toEqual(['desk.presence', 'support.message', 'message.read', 'room.read']);
    const replayed = await listening(token, start);
    await replayed.until(3);
    expect(names(replayed)).toEqual(['support.message', 'message.read', 'room.read']);
    await outsider.until(1);
    expect(names(outsider)).toEqual(['report.created']);
  });

  test('are replayed by the rights of that moment', async () => {
    const token = system.login(clerk(['desk', 'trust']));
    const live = await listening(token);
    const start = live.lastEventId!;
    await publishAll();
    await live.until(4);
    await giveRights(['trust']);
    await eventually('the stream is closed', () => live.isClosed);
    const replayed = await listening(token, start);
    await relay.publish('admins', {}, 'report.created');
    await replayed.until(2);
    expect(names(replayed)).toEqual(['report.created', 'report.created']);
  });

  test('end with the rights at the next check with identity when the revocation was lost', async () => {
    const token = system.login(clerk(['desk']));
    const live = await listening(token);
    system.login(clerk(['trust']));
    await eventually('the stream is closed', () => live.isClosed);
  });

  test('have masked contacts for administrators who may not see them', () => {
    const person = { email: 'awa@example.com' };
    const event = {
      id: 'e',
      name: 'room.created',
      address: 'admins',
      seq: 1,
      data: { student: person, teacher: person },
    };
    const frameFor = framesOf(event);
    expect(frameFor(clerk(['desk']))).toContain('"student":{"email":"a…@e….com"},"teacher":{"email":"a…@e….com"}');
    for (const caller of [clerk(['contacts']), clerk(), admin(1), student(1)])
      expect(frameFor(caller)).toContain('"student":{"email":"awa@example.com"}');
    expect(mayReceive(clerk(), event)).toBe(false);
    expect(mayReceive(student(1), event)).toBe(true);
  });
});

describe('a request of an administrator', () => {
  test('carries the rights to the service, the new ones at once after a change', async () => {
    const token = system.login(clerk(['people']));
    const verified = () => signerOf('wallet').verify(system.wallet.received.at(-1)?.headers['x-identity'] as string);
    await system.api('GET', '/api/admin/deposits/1', { token });
    expect(verified()).toMatchObject({ kind: 'admin', id: nextId, rights: ['people'] });
    await giveRights(['money']);
    await eventually('the new rights are used', async () => {
      await system.api('GET', '/api/admin/deposits/1', { token });
      return (verified() as AdminCaller).rights?.join() === 'money';
    });
  });

  const sent: ClientRequest[] = [];
  afterEach(() => {
    for (const request of sent.splice(0)) request.destroy();
    system.messaging.handleRequests(undefined);
  });

  /** Sends the beginning of a request. */
  function begin(method: string, path: string, token: string, headers: Record<string, string> = {}) {
    const { hostname, port } = new URL(system.gateway.url);
    const request = httpRequest({
      hostname,
      port,
      path,
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      agent: false,
    });
    request.on('error', () => undefined);
    sent.push(request);
    return request;
  }

  /** A streamed answer of a service, of which the client has read the beginning. */
  async function startExport(token: string) {
    const more: (() => void)[] = [];
    system.messaging.respondWith((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.write('[1');
      more.push(() => res.write(',2'));
    });
    const request = begin('GET', '/api/admin/rooms', token);
    request.end();
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const state = { text: '', isClosed: false };
    answer.on('data', (piece: Buffer) => (state.text += piece.toString()));
    answer.on('error', () => undefined);
    answer.on('close', () => (state.isClosed = true));
    await eventually('the answer has begun', () => state.text.includes('[1'));
    return { state, writeMore: () => more.at(-1)?.() };
  }

  test('that streams an answer is cut when a right is taken away', async () => {
    const { state } = await startExport(system.login(clerk(['desk', 'people'])));
    await giveRights(['desk']);
    await eventually('the answer is cut', () => state.isClosed);
    expect(state.text).not.toContain(']');
  });

  test('that streams an answer goes on when the rights stay the same, and ends when identity does not answer', async () => {
    const { state, writeMore } = await startExport(system.login(clerk(['desk'])));
    const asked = system.identity.questions.length;
    await giveRights(['desk']);
    await eventually('the token was verified again', () => system.identity.questions.length > asked);
    writeMore();
    await eventually('the answer goes on', () => state.text.endsWith(',2'));
    const { promise, resolve } = Promise.withResolvers<void>();
    system.identity.hold(() => promise);
    await giveRights(['desk']);
    await eventually('the answer is cut', () => state.isClosed);
    system.identity.hold(async () => undefined);
    resolve();
  });

  test('that waits for an answer to a read gets a 403; a change is not interrupted', async () => {
    const token = system.login(clerk(['desk']));
    const answersOf: (() => void)[] = [];
    system.messaging.respondWith((req, res, received) => {
      answersOf.push(() => answers(200, { changed: true })(req, res, received));
    });
    const read = system.api('GET', '/api/admin/rooms', { token });
    const change = system.api('PUT', '/api/admin/reports/1', { token, body: { status: 'open' } });
    await eventually('both have arrived', () => answersOf.length === 2);
    await giveRights(['trust']);
    expect((await read).body).toEqual({ success: false, message: 'Unauthorized access', statusCode: 403 });
    for (const answer of answersOf) answer();
    expect((await change).body).toMatchObject({ success: true, data: { changed: true } });
  });

  test('that uploads a file is refused when the right is taken away', async () => {
    const token = system.login(clerk(['desk']));
    const upstream = { received: 0, isGone: false };
    system.messaging.handleRequests((req) => {
      req.on('data', (piece: Buffer) => (upstream.received += piece.length));
      req.on('close', () => (upstream.isGone = !req.complete));
      req.on('error', () => undefined);
    });
    const request = begin('POST', '/api/admin/rooms/3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11/files', token, {
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': '100000',
    });
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    request.write('x'.repeat(1_000));
    await eventually('the file arrives', () => upstream.received > 0);
    await giveRights([]);
    const [answer] = await answered;
    answer.setEncoding('utf8');
    const [text] = (await once(answer, 'data')) as [string];
    expect(JSON.parse(text)).toEqual({ success: false, message: 'Unauthorized access', statusCode: 403 });
    await eventually('the service no longer receives the file', () => upstream.isGone);
  });
});
