import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openUpload } from '@tutoring/shared/testing/upload';
import { eventually } from '@tutoring/shared/testing/wait';
import { dial } from './raw.ts';
import { answers } from './stand-in.ts';
import { startSystem, student, type System } from './system.ts';

/* A service refuses an upload of unknown length before its end, because it is too large. */

const MIB = 1024 * 1024;
const SIZE = 40 * MIB;
const ROOM = '/api/rooms/3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11/files';
const MESSAGE = 'The request body is too large.';
const piece = Buffer.alloc(64 * 1024);
const refuse = answers(413, { code: 'too_large', message: MESSAGE });

let system: System;
let headers: Record<string, string>;
let isEnded = false;
beforeEach(async () => {
  isEnded = false;
  system = await startSystem();
  const authorization = `Bearer ${system.login(student(1))}`;
  headers = { 'content-type': 'multipart/form-data; boundary=frontier', authorization };
  system.messaging.handleRequests((req, res) => {
    let size = 0;
    req.socket.once('close', () => (isEnded = true));
    req.on('data', (data: Buffer) => {
      if ((size += data.length) > 25 * MIB && !res.headersSent) refuse(req, res, {} as never);
    });
  });
});
afterEach(() => system.stop());

test('the early refusal of an upload reaches a client that continues to send', async () => {
  const sending = openUpload(`${system.gateway.url}${ROOM}`, headers);
  let isAnswered = false;
  const answer = sending.answer.finally(() => (isAnswered = true));
  for (let sent = 0; sent < SIZE && !isAnswered; sent += piece.length)
    await Promise.race([sending.write(piece), answer]);
  const { status, body } = await answer;
  sending.leave();
  expect([status, body]).toEqual([413, { success: false, statusCode: 413, message: MESSAGE }]);
  await eventually('the request to the service is aborted', () => isEnded);
});

test('the early refusal of an upload reaches a client that reads only after it has sent everything', async () => {
  const line = dial(system.gateway.url);
  const { socket } = line;
  socket.pause();
  const write = async (data: string | Buffer) => void (socket.write(data) || (await once(socket, 'drain')));
  const lines = Object.entries({ ...headers, host: 'x', 'transfer-encoding': 'chunked' });
  await write(`POST ${ROOM} HTTP/1.1\r\n${lines.map((pair) => `${pair.join(': ')}\r\n`).join('')}\r\n`);
  const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);
  for (let sent = 0; sent < SIZE; sent += piece.length) await write(chunk);
  await write('0\r\n\r\n');
  socket.resume();
  await line.closed;
  expect(line.text).toMatch(/^HTTP\/1\.1 413 .*"message":"The request body is too large\."\}$/s);
  await eventually('the request to the service is aborted', () => isEnded);
});
