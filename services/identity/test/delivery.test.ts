import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { startMailServer } from '@tutoring/shared/testing/mail-server';
import { eventually } from '@tutoring/shared/testing/wait';
import { CARRIER_MS } from '../src/deadlines.ts';
import { codeSms } from '../src/texts.ts';
import { startIdentity, type TestIdentity } from './identity.ts';

/** The number of messages with this outcome. */
async function counted({ service }: TestIdentity, channel: string, outcome: string): Promise<number> {
  const { values } = await service.metrics.registry.getSingleMetric('deliveries_total')!.get();
  return values.find(({ labels }) => labels['channel'] === channel && labels['outcome'] === outcome)!.value;
}

describe('mail by SMTP', () => {
  let mail: Awaited<ReturnType<typeof startMailServer>>;
  let state: typeof mail.state;
  let service: TestIdentity;
  const lines: string[] = [];
  const refused = () => counted(service, 'email', 'refused');
  beforeAll(async () => {
    mail = await startMailServer();
    ({ state } = mail);
    service = await startIdentity(
      {
        SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
        MAIL_FROM: 'Tutoring <hello@tutoring.test>',
      },
      { logger: createLogger('identity', 'warn', { write: (line: string) => void lines.push(line) }) },
    );
  });
  afterAll(async () => {
    await service.end();
    await mail.stop();
  });

  test('an e-mail has text and HTML, and is sent again after a temporary refusal', async () => {
    state.refusals = 1_000;
    const body = service.submission();
    await service.api.anonymous.post('/api/auth/register', body);
    await eventually('the first attempt failed', async () => state.refusals < 1_000);
    await eventually('the next attempt is scheduled', async () => {
      const later = `extract(epoch from next_attempt_at - app_now()) between 1 and 2 ^ attempts + 1`;
      return (await service.rows(`select 1 from outgoing where ${later}`)).length > 0;
    });
    state.refusals = 0;
    await service.shiftClock(60);
    const letter = await eventually('the letter', () => state.letters[0]);
    expect(letter).toContain('From: Tutoring <hello@tutoring.test>');
    expect(letter).toContain(`To: ${body.email}`);
    expect(letter).toMatch(/Content-Type: text\/plain/);
    expect(letter).toMatch(/Content-Type: text\/html/);
    const code = mail.codeFor(String(body.email));
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
  ])('an e-mail to %s is sent to this address only', async (email, recipient) => {
    state.recipients.length = 0;
    await service.api.anonymous.post('/api/auth/register', service.submission({ email }));
    await eventually('the letter', () => state.recipients.length > 0);
    expect(state.recipients).toEqual([`RCPT TO:<${recipient}>`]);
  });

  test('a recipient that the mail server does not answer delays no other recipient', async () => {
    const { email: silent } = service.submission();
    const others = Array.from({ length: 3 }, () => service.submission());
    state.silent = String(silent);
    const start = performance.now();
    await service.api.anonymous.post('/api/auth/register', service.submission({ email: silent }));
    await eventually('the silent recipient is tried', () => state.recipients.some((line) => line.includes(silent)));
    for (const body of others) {
      await service.api.anonymous.post('/api/auth/register', body);
      await eventually('the code', () => mail.codeFor(String(body.email)));
    }
    // Still unanswered: the message is in its first attempt, unless a busy machine took longer than the attempt.
    const [message] = await service.rows<{ attempts: number }>('select attempts from outgoing where recipient = $1', [
      silent,
    ]);
    const isFirst = message?.attempts === 1 && state.unanswered === 1;
    expect(isFirst || performance.now() - start > CARRIER_MS).toBe(true);
    state.silent = undefined;
    mail.hangUp();
    await service.shiftClock(60);
    await eventually('the last code', () => mail.codeFor(String(silent)));
    await service.shiftClock(0);
  });

  test.each(['MAIL', 'RCPT', 'DATA', '.'])(
    'an e-mail refused permanently at %s is not sent again, and the log does not name its recipient',
    async (command) => {
      const body = service.submission();
      const tried = () => state.recipients.filter((line) => line.includes(String(body.email))).length;
      lines.length = 0;
      const before = await refused();
      state.refuses = { command, reply: `550 5.1.1 <${body.email}>: no such user` };
      await service.api.anonymous.post('/api/auth/register', body);
      await eventually('the message is removed', async () => (await refused()) === before + 1);
      await eventually('the queue is empty', async () => (await service.rows('select 1 from outgoing')).length === 0);
      state.refuses = undefined;
      await service.shiftClock(400);
      await service.runJob('email');
      expect([tried() <= 1, mail.codeFor(String(body.email))]).toEqual([true, undefined]);
      const logged = lines.filter((line) => line.includes('a message was refused for good'));
      expect([logged.length, logged[0]?.includes(' 550'), logged[0]?.includes(String(body.email))]).toEqual([
        1,
        true,
        false,
      ]);
      await service.shiftClock(0);
    },
  );

  test('a queued message survives a restart, and is removed when it expires', async () => {
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
  /** Twilio's API: refuses the set number of requests, and stores the requests. */
  const state = {
    refusals: 0,
    status: 429,
    /** If set, gets a function that sends the next answer, which is then not sent otherwise. */
    hold: undefined as ((answer: () => void) => void) | undefined,
    asked: [] as { method: string; url: string; user: string; form: Record<string, string> }[],
  };
  const server = createHttpServer((req, res) => {
    const pieces: Buffer[] = [];
    req.on('data', (piece: Buffer) => pieces.push(piece));
    req.on('end', () => {
      const [user = ''] = Buffer.from(req.headers.authorization?.slice('Basic '.length) ?? '', 'base64')
        .toString()
        .split(':');
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(pieces).toString()));
      state.asked.push({ method: req.method ?? '', url: req.url ?? '', user, form });
      const refused = state.refusals > 0;
      if (refused) state.refusals -= 1;
      const answer = () => {
        res.writeHead(refused ? state.status : 201, { 'content-type': 'application/json' });
        res.end(JSON.stringify(refused ? { code: 20429, message: 'Too many requests' } : { sid: 'SM1' }));
      };
      const { hold } = state;
      state.hold = undefined;
      if (hold) hold(answer);
      else answer();
    });
  });
  const SID = `AC${'0'.repeat(32)}`;
  /** Accepts connections and never answers. */
  const connections = new Set<Socket>();
  const silent = createServer((socket) => {
    connections.add(socket.on('error', () => undefined));
    socket.on('close', () => connections.delete(socket));
  });
  const hangUp = () => connections.forEach((socket) => socket.destroy());
  const isEmpty = async () => (await service.rows('select 1 from outgoing')).length === 0;
  let service: TestIdentity;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    service = await startIdentity({
      SMTP_URL: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      TWILIO_ACCOUNT_SID: SID,
      TWILIO_AUTH_TOKEN: 'secret',
      TWILIO_FROM: '+15550001111',
      TWILIO_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/stand-in/`,
    });
  });
  afterAll(async () => {
    const closed = new Promise((resolve) => silent.close(resolve));
    hangUp();
    await service.end();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await closed;
  });

  test('an SMS is posted to TWILIO_API_URL, and again after a temporary refusal', async () => {
    state.refusals = 1;
    const phone = { gauth_type: 'phone_number', password: undefined, phone_number: '+2250701020304' };
    const body = service.submission(phone);
    await service.api.anonymous.post('/api/auth/register', body);
    await eventually('the first attempt', () => state.asked.length === 1);
    await service.shiftClock(30);
    await eventually('the second', () => state.asked.length === 2);
    const code = /\d{6}/.exec(state.asked[0]!.form['Body']!)![0];
    expect(new Set(state.asked.map((asked) => JSON.stringify(asked)))).toEqual(
      new Set([
        JSON.stringify({
          method: 'POST',
          url: `/stand-in/2010-04-01/Accounts/${SID}/Messages.json`,
          user: SID,
          form: { To: '+2250701020304', From: '+15550001111', Body: codeSms(code) },
        }),
      ]),
    );
    await eventually('the queue is empty', isEmpty);
    await service.shiftClock(0);
  });

  test.each([400, 401, 403, 404, 410])('an SMS that Twilio refuses with %i is not sent again', async (status) => {
    state.asked.length = 0;
    state.refusals = 1;
    state.status = status;
    const phone = { gauth_type: 'phone_number', password: undefined, phone_number: `+22507010${20_000 + status}` };
    await service.api.anonymous.post('/api/auth/register', service.submission(phone));
    await eventually('the request arrives', () => state.asked.length === 1);
    await eventually('the queue is empty', isEmpty);
    await service.shiftClock(400);
    await service.runJob('sms');
    expect(state.asked).toHaveLength(1);
    state.status = 429;
    await service.shiftClock(0);
  });

  test('metrics count attempts by channel and outcome, and have the age of the oldest message', async () => {
    state.asked.length = 0;
    state.refusals = 1_000;
    const before = await counted(service, 'sms', 'failed');
    const sent = await counted(service, 'sms', 'sent');
    const phone = { gauth_type: 'phone_number', password: undefined, phone_number: '+2250701020399' };
    await service.api.anonymous.post('/api/auth/register', service.submission(phone));
    await eventually('an attempt failed', async () => (await counted(service, 'sms', 'failed')) > before);
    await service.rows(`update outgoing set created_at = app_now() - interval '90 seconds' where channel = 'sms'`);
    const { values } = await service.service.metrics.registry
      .getSingleMetric('deliveries_oldest_waiting_seconds')!
      .get();
    expect(values.find(({ labels }) => labels['channel'] === 'sms')!.value).toBeGreaterThanOrEqual(90);
    state.refusals = 0;
    await service.shiftClock(60);
    await eventually('the queue is empty', isEmpty);
    expect([await counted(service, 'sms', 'failed'), await counted(service, 'sms', 'sent')]).toEqual([
      before + state.asked.length - 1,
      sent + 1,
    ]);
    await service.shiftClock(0);
  });

  test('several replicas send an SMS once, even if the provider is slow', async () => {
    state.asked.length = 0;
    const held = new Promise<() => void>((resolve) => (state.hold = resolve));
    const phone = { gauth_type: 'phone_number', password: undefined, phone_number: '+2250701020305' };
    await service.api.anonymous.post('/api/auth/register', service.submission(phone));
    const answer = await held;
    try {
      await service.shiftClock(CARRIER_MS / 1_000);
      // As another replica does.
      await service.runJob('sms');
      expect(state.asked).toHaveLength(1);
    } finally {
      answer();
      await eventually('the queue is empty', isEmpty);
      await service.shiftClock(0);
    }
  });

  test('an SMS does not wait for a silent mail server', async () => {
    state.asked.length = 0;
    await service.api.anonymous.post('/api/auth/register', service.submission());
    await eventually('the e-mail is being sent', () => connections.size > 0);
    const phone = { gauth_type: 'phone_number', password: undefined, phone_number: '+2250701020306' };
    await service.api.anonymous.post('/api/auth/register', service.submission(phone));
    await eventually('the SMS', () => state.asked.length > 0);
    expect(connections.size).toBe(1);
  });
});
