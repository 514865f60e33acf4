import { secretHash } from '../../services/identity/src/tokens/token.ts';
import { bearer, newSecret } from '../../shared/src/identity/bearer.ts';
import { load, show, type Stand } from './stand.ts';

const TOKENS = 1_000;
const GATEWAY = { kind: 'service', name: 'gateway' } as const;

/** Verdicts per second at `/internal/tokens/verify`, over a thousand bearers, good ones and (last) forged ones. */
export async function benchTokens(stand: Stand, seconds: number): Promise<void> {
  await stand.sql(
    `insert into account (id, platform, gauth_type, name, email, email_key, phone_number)
     values (1000000, 'student', 'email', 'B', 'b@example.com', 'b@example.com', '') on conflict do nothing`,
  );
  const bearers: string[] = [];
  for (let n = 0; n < TOKENS; n += 1) {
    const secret = newSecret();
    const [row] = await stand.sql('insert into token (account_id, hash) values (1000000, $1) returning id::int', [
      secretHash(secret),
    ]);
    bearers.push(bearer(Number(row?.['id']), secret));
  }
  const verify = (n: number) => stand.call('POST', '/internal/tokens/verify', GATEWAY, { token: bearers[n % TOKENS] });
  await load(16, 2, verify);
  for (const clients of [1, 16, 64]) console.log(`  ${clients} clients: ${show(await load(clients, seconds, verify))}`);
}
