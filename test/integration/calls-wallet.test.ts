import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { topology } from '@tutoring/shared/contract/bus';
import { newPrefix, startTestService, type TestService } from '@tutoring/shared/testing/service';
import { eventually } from '@tutoring/shared/testing/wait';
import { calls as callsDefinition } from '../../services/calls/src/app.ts';
import { CALLS_ENV, person, PLAN } from '../../services/calls/test/scene.ts';
import { wallet as walletDefinition } from '../../services/wallet/src/app.ts';
import { signSandbox } from '../../services/wallet/src/providers/sandbox/sandbox.ts';

const SECRET = 'sandbox-secret-of-the-tests';
const STUDENT = 11;
const TEACHER = 12;

/** Starts a proxy between calls and wallet whose connections can be cut. */
async function startNetwork(port: number) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createTcpServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => sockets.delete(one));
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => void (isCut = false),
    stop: () => {
      cut();
      server.close();
    },
  };
}

let identity: Server;
let network: Awaited<ReturnType<typeof startNetwork>>;
let wallet: TestService;
/** Offset of wallet's clock, in milliseconds. */
let walletShift = 0;
let calls: TestService;
beforeAll(async () => {
  const prefix = newPrefix();
  const records: Record<string, unknown> = {
    [`/internal/users/${STUDENT}`]: person(STUDENT, 'student'),
    [`/internal/users/${TEACHER}`]: person(TEACHER, 'teacher'),
    '/internal/plans/1': PLAN,
  };
  identity = createServer((request, response) => {
    const record = records[request.url ?? ''];
    response.writeHead(record ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(record ?? { code: 'not_found', message: 'not_found' }));
  });
  await new Promise<void>((resolve) => identity.listen(0, '127.0.0.1', resolve));
  const IDENTITY_URL = `http://127.0.0.1:${(identity.address() as AddressInfo).port}`;
  wallet = await startTestService(walletDefinition, {
    prefix,
    env: { SANDBOX_WEBHOOK_SECRET: SECRET, IDENTITY_URL },
    clock: () => Date.now() + walletShift,
  });
  network = await startNetwork(Number(new URL(wallet.url).port));
  calls = await startTestService(callsDefinition, {
    prefix,
    env: { ...CALLS_ENV, IDENTITY_URL, WALLET_URL: network.url },
  });
});
afterAll(async () => {
  const { jsm, named } = calls.service.bus;
  for (const stream of topology.streams) await jsm.streams.delete(named(stream));
  await Promise.all([calls.stop(), wallet.stop()]);
  network.stop();
  identity.close();
  identity.closeAllConnections();
});
beforeEach(() => calls.shiftClock(0));

let webhooks = 0;
async function deposit(amount: number): Promise<void> {
  const created = await wallet.api.student(STUDENT).post('/api/deposits', { amount });
  const event = JSON.stringify({
    id: `paid-${(webhooks += 1)}`,
    type: 'deposit.succeeded',
    deposit_id: created.body.id,
  });
  const signature = { 'x-signature': signSandbox(SECRET, event, Date.now()) };
  expect((await wallet.api.anonymous.post('/api/webhooks/payments/sandbox', event, signature)).status).toBe(200);
}

const money = async (user: number) => {
  const { body } = await wallet.api.service('calls').get(`/internal/balances/${user}`);
  return { balance: body.balance as number, held: body.held as number };
};
const init = () => calls.api.student(STUDENT).post('/api/call/init', { teacher_user_id: TEACHER, call_type: 'video' });
const accept = () =>
  calls.api.teacher(TEACHER).post('/api/call/accept', { student_user_id: STUDENT, call_type: 'video' });
/** On a busy machine the end of a call may be answered before its last charges are made and its hold is released. */
const settled = (identifier: string) =>
  eventually('the call is settled', async () => {
    const statement = 'select settled from call where identifier = $1';
    return (await calls.rows<{ settled: boolean }>(statement, [identifier]))[0]!.settled;
  });
const bill = (identifier: string) => calls.api.teacher(TEACHER).post('/api/call/bill', { identifier });

test('a call is charged by the real wallet, with commission, a hold for the next step and its release', async () => {
  expect((await init()).status).toBe(402);
  await deposit(1_000);
  await calls.receive('setting.changed', { name: 'commission_percent', value: 10, version: 1 });
  const rung = await init();
  expect(rung.status).toBe(200);
  const { identifier } = (await accept()).body.transaction as { identifier: string };
  expect(await money(STUDENT)).toEqual({ balance: 1_000, held: 150 });

  const bills = await Promise.all(Array.from({ length: 20 }, () => bill(identifier)));
  expect(new Set(bills.map(({ status }) => status))).toEqual(new Set([200]));
  await eventually('the step is charged', async () => (await money(STUDENT)).balance === 850);
  expect([await money(STUDENT), await money(TEACHER)]).toEqual([
    { balance: 850, held: 50 },
    { balance: 135, held: 0 },
  ]);
  await calls.shiftClock(61);
  await bill(identifier);
  const ended = await calls.api
    .student(STUDENT)
    .post('/api/call/end', { identifier, room_uuid: rung.body.channel as string });
  expect(ended.body).toEqual([]);
  await settled(identifier);
  expect([await money(STUDENT), await money(TEACHER)]).toEqual([
    { balance: 800, held: 0 },
    { balance: 180, held: 0 },
  ]);
});

test('when the money runs out, the affordable steps are charged, the call ends and the hold is released', async () => {
  const { balance } = await money(STUDENT);
  await deposit(100);
  const afford = Math.floor((balance + 100 - 150) / 50) + 1;
  await init();
  const { identifier } = (await accept()).body.transaction as { identifier: string };
  for (let step = 1; step <= afford; step += 1) {
    await calls.shiftClock((step - 1) * 60 + 1);
    expect([step, (await bill(identifier)).status]).toEqual([step, 200]);
  }
  await calls.shiftClock(afford * 60 + 1);
  expect((await bill(identifier)).status).toBe(402);
  const call = await eventually('the call is settled', async () => {
    const [row] = await calls.rows<Record<string, unknown>>('select * from call where identifier = $1', [identifier]);
    return row!['settled'] === true && row;
  });
  expect(call).toMatchObject({ ended_by: 'exhaustion', steps: afford, total_duration: afford * 60 });
  expect(await money(STUDENT)).toEqual({ balance: (balance - 50) % 50, held: 0 });
});

interface Receipt {
  lines: { amount: number }[];
  total: number;
  refunded: number;
  commission: number;
  earned: number;
}

describe('the receipt of a call', () => {
  async function receiptOf(identifier: string, who: 'student' | 'teacher' = 'teacher'): Promise<Receipt> {
    const answer = await calls.api[who](who === 'student' ? STUDENT : TEACHER).get(`/api/calls/${identifier}/receipt`);
    expect(answer.status).toBe(200);
    return answer.body as Receipt;
  }
  const sumOf = (lines: { amount: number }[]) => lines.reduce((sum, { amount }) => sum + amount, 0);
  async function ledgerOf(identifier: string) {
    const [sums] = await wallet.rows<{ total: number; refunded: number; commission: number }>(
      `select coalesce(sum(amount) filter (where kind = 'call'), 0) as total,
         coalesce(sum(amount) filter (where kind = 'refund'), 0) as refunded,
         coalesce(sum(amount) filter (where kind = 'commission'), 0) as commission
       from transfer where call_identifier = $1`,
      [identifier],
    );
    return sums!;
  }

  test('matches the ledger during concurrent bills, after a refund and after the deletion of the teacher', async () => {
    await deposit(3_000);
    const rung = await init();
    const { identifier } = (await accept()).body.transaction as { identifier: string };
    for (const seconds of [1, 61, 150, 190]) {
      await calls.shiftClock(seconds);
      const before = await ledgerOf(identifier);
      const [receipts] = await Promise.all([
        Promise.all(Array.from({ length: 6 }, () => receiptOf(identifier))),
        Promise.all(Array.from({ length: 4 }, () => bill(identifier))),
      ]);
      const after = await ledgerOf(identifier);
      for (const { lines, total } of receipts) {
        expect(sumOf(lines)).toBe(total);
        expect([total >= before.total, total <= after.total]).toEqual([true, true]);
      }
    }
    const over = { identifier, room_uuid: rung.body.channel as string };
    await calls.api.student(STUDENT).post('/api/call/end', over);
    await settled(identifier);
    await wallet.api.admin('su').post(`/api/admin/calls/${identifier}/refund`, { amount: 33 });
    await wallet.api.service('identity').post(`/internal/users/${TEACHER}/forfeit`, {});
    const { lines, earned, ...sums } = await receiptOf(identifier);
    expect(sumOf(lines)).toBe(300);
    expect(sums).toMatchObject(await ledgerOf(identifier));
    expect(earned).toBe(sums.total - sums.commission);
    expect(await receiptOf(identifier, 'student')).not.toHaveProperty('earned');
    const row = async () => (await calls.api.student(STUDENT).get(`/api/calls/${identifier}`)).body as Receipt;
    await eventually('calls receives the refund', async () => (await row()).refunded === 33);
  });

  test('is unavailable while wallet is cut off', async () => {
    await deposit(1_000);
    const rung = await init();
    const { identifier } = (await accept()).body.transaction as { identifier: string };
    network.cut();
    expect((await calls.api.student(STUDENT).get(`/api/calls/${identifier}/receipt`)).status).toBe(503);
    const over = { identifier, room_uuid: rung.body.channel as string };
    await calls.api.student(STUDENT).post('/api/call/end', over);
    network.mend();
    await settled(identifier);
    const { lines, total } = await receiptOf(identifier);
    expect([sumOf(lines), total, (await ledgerOf(identifier)).total]).toEqual([150, 150, 150]);
  });
});

test('while wallet is cut off, a step that is covered by the hold succeeds, and is settled when wallet is back', async () => {
  await deposit(1_000);
  const before = await money(STUDENT);
  const rung = await init();
  const { identifier } = (await accept()).body.transaction as { identifier: string };
  network.cut();
  expect((await bill(identifier)).status).toBe(200);
  const ended = await calls.api
    .teacher(TEACHER)
    .post('/api/call/end', { identifier, room_uuid: rung.body.channel as string });
  expect(ended.status).toBe(200);
  network.mend();
  await settled(identifier);
  expect(await money(STUDENT)).toEqual({ balance: before.balance - 150, held: 0 });
});

test('a wallet that refuses the signature of calls counts as unavailable, not as a refusal of the student', async () => {
  await deposit(1_000);
  for (const minutes of [10, -10]) {
    walletShift = minutes * 60_000;
    const rung = await init();
    expect([rung.status, rung.body.code]).toEqual([503, 'unavailable']);
  }
  walletShift = 0;
  expect((await init()).status).toBe(200);
});
