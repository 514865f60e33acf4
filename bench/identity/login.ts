import { hash, verify } from '@node-rs/argon2';
import { load, show, type Stand } from './stand.ts';

const USERS = 64;
/** Rounds alternate, because other load on the machine changes from second to second. */
const ROUNDS = 5;
const PASSWORD = 'a good password';
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const ANONYMOUS = { kind: 'anonymous' } as const;

/** Compares logins per second with plain argon2 (same parameters, two at a time), and known with unknown users. */
export async function benchLogin(stand: Stand, seconds: number): Promise<void> {
  const stored = await hash(PASSWORD, COST);
  await stand.sql(
    `insert into account (id, platform, gauth_type, name, email, email_key, phone_number, password_hash)
     select 2000000 + n, 'student', 'email', 'L', 'l' || n || '@example.com', 'l' || n || '@example.com', '', $1
     from generate_series(0, $2 - 1) n on conflict do nothing`,
    [stored, USERS],
  );
  await stand.sql(
    'insert into balance_copy (user_id, available, version) select 2000000 + n, 0, 1 from generate_series(0, $1 - 1) n on conflict do nothing',
    [USERS],
  );
  const login = (email: string) =>
    stand.call('POST', '/api/auth/login', ANONYMOUS, { email, password: PASSWORD }).catch((error: Error) => {
      if (!error.message.startsWith('404')) throw error;
    });
  const known = (n: number) => login(`l${n % USERS}@example.com`);
  await load(4, 2, known);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const raw = await load(2, seconds / 2, () => verify(stored, PASSWORD));
    const served = await load(8, seconds / 2, known);
    ratios.push(served.perSecond / raw.perSecond);
    console.log(`  raw argon2, two at a time: ${show(raw)}; logins, 8 clients: ${show(served)}`);
  }
  const median = ratios.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
  console.log(`  logins are ${median.toFixed(2)} of raw (median of ${ROUNDS} rounds)`);
  const alone = await load(1, seconds, known);
  await stand.sql('truncate login_failure');
  const unknown = await load(1, seconds / 2, (n) =>
    login(`nobody${n % 97}@example.com`).then(() => stand.sql('truncate login_failure')),
  );
  console.log(`  one at a time: known ${show(alone)}; unknown p50 ${unknown.p50.toFixed(2)} ms (with its clean-up)`);
}
