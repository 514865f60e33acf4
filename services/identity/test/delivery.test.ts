import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { eventually } from '@tutoring/shared/testing/wait';
import { twilioCarrier } from '../src/delivery/carriers.ts';
import { startIdentity, type TestIdentity } from './identity.ts';

/** A mail server that can be told to refuse, and keeps what it took. */
function mailServer() {
  const state = { refusals: 0, letters: [] as string[], recipients: [] as string[] };
  const server: Server = createServer((socket) => {
    let data: string | undefined;
    socket.on('error', () => undefined);
    socket.write('220 local ESMTP\r\n');
    createInterface({ input: socket }).on('line', (line) => {
      if (data !== undefined) {
        if (line === '.') {
          state.letters.push(data);
          data = undefined;
          socket.write('250 taken\r\n');
        } else data += `${line}\n`;
      } else if (line.startsWith('EHLO')) socket.write('250-local\r\n250 SMTPUTF8\r\n');
      else if (/^(HELO|RSET)/.test(line)) socket.write('250 ok\r\n');
      else if (line.startsWith('RCPT')) {
        state.recipients.push(line);
        socket.write('250 ok\r\n');
      } else if (line.startsWith('MAIL')) {
        if (state.refusals > 0) {
          state.refusals -= 1;
          socket.write('451 later\r\n');
        } else socket.write('250 ok\r\n');
      } else if (line === 'DATA') {
        data = '';
        socket.write('354 go on\r\n');
      } else if (line === 'QUIT') socket.end('221 bye\r\n');
    });
  });
  return { server, state };
}

describe('mail by SMTP', () => {
  const { server, state } = mailServer();
  let service: TestIdentity;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    service = await startIdentity({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'Tutoring <hello@tutoring.test>',
    });
  });
  afterAll(async () => {
    await service.end();
    await new Promise((resolve) => server.close(resolve));
  });

  test('carries text and HTML, after a refusal too, with a back-off', async () => {
    state.refusals = 1;
    const body = service.submission();
    await service.api.anonymous.post('/api/auth/register', body);
    await eventually('the first attempt failed', async () => state.refusals === 0);
    const [waiting] = await service.rows<{ attempts: number; later: boolean }>(
      "select attempts, next_attempt_at > app_now() + interval '1 second' as later from outgoing",
    );
    expect(waiting).toEqual({ attempts: 1, later: true });
    await service.shiftClock(30);
    const letter = await eventually('the letter', () => state.letters[0]);
    expect(letter).toContain('From: Tutoring <hello@tutoring.test>');
    expect(letter).toContain(`To: ${body.email}`);
    expect(letter).toMatch(/Content-Type: text\/plain/);
    expect(letter).toMatch(/Content-Type: text\/html/);
    const code = /Subject: (\d{6})/.exec(letter)![1]!;
    const verified = await service.api.anonymous.post('/api/auth/register/verify', { ...body, code });
    expect(verified.status).toBe(200);
    await eventually('the queue is empty', async () => (await service.rows('select 1 from outgoing')).length === 0);
    await service.shiftClock(0);
  });

  test.each([
    ['awa@École.fr', 'awa@xn--cole-9oa.fr'],
    ['élise@école.fr', 'élise@école.fr'],
    ['"awa, bob@evil.test"@x.test', '"awa, bob@evil.test"@x.test'],
    ['" awa"@x.test', '" awa"@x.test'],
    ['a/b@[127.0.0.1]', 'a/b@[127.0.0.1]'],
  ])('goes to %s, and to nobody else', async (email, recipient) => {
    state.recipients.length = 0;
    await service.api.anonymous.post('/api/auth/register', service.submission({ email }));
    await eventually('the letter', () => state.recipients.length > 0);
    expect(state.recipients).toEqual([`RCPT TO:<${recipient}>`]);
  });

  test('a message that waits survives a restart, and goes when it is too old', async () => {
    state.refusals = 1_000;
    const letters = state.letters.length;
    const body = service.submission();
    await service.api.anonymous.post('/api/auth/register', body);
    await eventually('an attempt failed', async () => state.refusals < 1_000);
    await service.restart();
    state.refusals = 0;
    await service.shiftClock(60);
    await eventually('the letter', () => state.letters.length > letters);
    state.refusals = 1_000;
    const { email: late } = service.submission();
    await service.api.anonymous.post('/api/auth/register', { ...service.submission(), email: late });
    await service.shiftClock(700);
    await eventually('the queue is empty', async () => (await service.rows('select 1 from outgoing')).length === 0);
    expect(state.letters.filter((letter) => letter.includes(late))).toEqual([]);
    await service.shiftClock(0);
  });
});

describe('SMS by Twilio', () => {
  const sms = {
    channel: 'sms',
    recipient: '+2250701020304',
    subject: '',
    text: '123456 is your code',
    html: null,
    code: '123456',
  } as const;
  /** Twilio's side of the wire: keeps what it was asked and answers as told. */
  const wire = (statusCode: number, body: object) => {
    const asked: { method: string; uri: string; username: string; data: object }[] = [];
    return {
      asked,
      httpClient: { request: async (request: (typeof asked)[number]) => (asked.push(request), { statusCode, body }) },
    };
  };
  const account = { sid: `AC${'0'.repeat(32)}`, token: 'secret', from: '+15550001111' };

  test('sends number, sender and text', async () => {
    const { asked, httpClient } = wire(201, { sid: 'SM1' });
    await twilioCarrier(account, { httpClient })(sms);
    expect(asked).toEqual([
      expect.objectContaining({
        method: 'post',
        uri: expect.stringContaining(`/Accounts/${account.sid}/Messages.json`),
        username: account.sid,
        data: { To: '+2250701020304', From: '+15550001111', Body: '123456 is your code' },
      }),
    ]);
  });

  test('rejects when Twilio refuses, so that the queue tries again', async () => {
    const { httpClient } = wire(429, { code: 20429, message: 'Too many requests' });
    await expect(twilioCarrier(account, { httpClient })(sms)).rejects.toThrow('Too many requests');
  });
});
