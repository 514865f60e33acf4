import { performance } from 'node:perf_hooks';
import { bearer, newSecret } from '@tutoring/shared/identity/bearer';
import { secretHash } from '../services/identity/src/tokens/token.ts';
import { load, type Load } from './identity/stand.ts';
import { fill, LISTS, READER, TABLES, type Part } from './lists/fill.ts';
import { KINDS, type Request } from './lists/requests.ts';
import { startStack, type WholeStack } from './units/stack.ts';
import { createApi } from './units/work.ts';

const SMALL = 5_000;
const ROUNDS = 3;
const SECONDS = 1;

/** Sends a request through the gateway, as an administrator or as the reader of rooms. */
async function createAsk(stack: WholeStack) {
  const api = createApi(stack.url);
  const { token: admin } = await api<{ token: string }>('POST', 'api/admin/auth/login', {
    body: { email: 'admin@example.com', password: stack.secrets['ADMIN_PASSWORD'] },
  });
  const secret = newSecret();
  await stack.sql(
    'identity',
    `insert into account (id, platform, gauth_type, name, email, email_key, phone_number)
     values (${READER}, 'student', 'email', 'Reader', 'reader@example.com', 'reader@example.com', '')`,
  );
  const [token] = await stack.sql(
    'identity',
    `insert into token (account_id, hash) values (${READER}, '\\x${secretHash(secret).toString('hex')}') returning id`,
  );
  const tokens = { admin, student: bearer(Number(token!['id']), secret) };
  return ({ method, path, body, by }: Request) =>
    api<unknown>(method, `api/${path}`, { token: tokens[by], ...(body && { body }) });
}

/** The median of the rounds, by p99: other load on the machine disturbs some. */
async function middle(work: (n: number) => Promise<unknown>): Promise<Load> {
  const rounds: Load[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await load(1, SECONDS, (n) => work(round * 100_000 + n)));
  return rounds.sort((one, other) => one.p99 - other.p99)[Math.floor(ROUNDS / 2)]!;
}

interface Figure extends Load {
  /** Milliseconds of the first request of its kind: a count above 100,000 is kept for a minute then. */
  first: number;
  rows: number;
}

async function measure(part: Part, size: number, ask: (request: Request) => Promise<unknown>) {
  const figures: Record<string, Figure> = {};
  for (const [kind, requestOf] of Object.entries(KINDS[part])) {
    const began = performance.now();
    const answer = await ask(requestOf(size, 0)).catch((error: unknown) => error as Error);
    const first = performance.now() - began;
    if (answer instanceof Error) {
      console.log(`  ${part}, ${kind}: after ${first.toFixed(0)} ms ${answer.message}`);
      continue;
    }
    const { data } = answer as { data?: unknown[] };
    const rows = Array.isArray(answer) ? answer.length : (data?.length ?? 0);
    figures[kind] = { ...(await middle((n) => ask(requestOf(size, n)))), first, rows };
  }
  return figures;
}

const ms = (value: number) => value.toFixed(1).padStart(8);

function show(part: Part, small: Record<string, Figure>, large: Record<string, Figure>): void {
  console.log(`  ${part.padEnd(38)} rows   p50 ms           p99 ms           ratio    first ms`);
  for (const [kind, { first, p50, p99, rows }] of Object.entries(large)) {
    const before = small[kind]!;
    const ratio = (p99 / before.p99).toFixed(1).padStart(6);
    console.log(
      `  ${kind.padEnd(38)} ${String(rows).padStart(4)} ${ms(before.p50)}${ms(p50)} ${ms(before.p99)}${ms(p99)} ${ratio} x ${ms(before.first)}${ms(first)}`,
    );
  }
}

/**
 * `npm run bench -- lists [rows] [parts]`: what pages of lists take over HTTP, through the gateway, one client: with
 * 5,000 rows and with as many as are given (1,000,000), and the ratio of the two p99. The parts are payments, deposits,
 * users and messages, each with that many rows; all unless some are named.
 */
export async function run([rows = '1000000', ...names]: string[]): Promise<void> {
  const large = Number(rows);
  const parts = LISTS.filter((name) => names.length === 0 || names.includes(name));
  const stack = await startStack();
  try {
    const ask = await createAsk(stack);
    for (const part of parts) {
      const figures: Record<string, Figure>[] = [];
      let filled = 0;
      for (const size of [SMALL, large]) {
        const began = performance.now();
        for (const table of TABLES[part]) await fill(stack, table, { from: filled, to: size });
        filled = size;
        console.log(`${size.toLocaleString('en')} ${part}, in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
        figures.push(await measure(part, size, ask));
      }
      show(part, figures[0]!, figures[1]!);
    }
  } finally {
    await stack.stop();
  }
}
