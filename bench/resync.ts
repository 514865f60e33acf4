import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServiceName } from '@tutoring/shared/contract/names';
import { eventually } from '@tutoring/shared/testing/wait';
import { PARTS, processOf, startStack, type WholeStack } from './units/stack.ts';

const CONSUMERS: ServiceName[] = ['wallet', 'messaging', 'calls'];
const FIRST_ID = 1_000_000;
const HOUR_MS = 3_600_000;

const people = (total: number) => `
  insert into account (id, platform, gauth_type, name, email, email_key, phone_number, plan_id, photo, address, city, country,
    about_me, bio, version)
  select ${FIRST_ID} + n, case when n % 10 = 0 then 'teacher' else 'student' end, 'email',
    (array['Éric', 'Awa', 'María', 'Kofi', 'Aïcha', 'Yao'])[n % 6 + 1] || ' ' || substr(md5(n::text), 1, 6),
    'u' || n || '@example.com', 'u' || n || '@example.com', '+2217' || 70000000 + n, case when n % 10 = 0 then n % 3 + 1 end,
    '/api/photos/' || md5('p' || n), n || ' rue des Cocotiers', 'Dakar', 'SN', 'I like ' || md5('a' || n),
    case when n % 10 = 0 then 'I teach ' || md5('b' || n) end, 1
  from generate_series(1, ${total}) n`;

const SKILLS = `
  insert into account_skill (account_id, skill_id, position)
  select a.id, s.id, s.id from account a, skill s where a.id > ${FIRST_ID} and a.platform = 'teacher' and s.id <= 3`;

/** Runs `events resync user.changed` as an operator does. */
async function publishAll(env: Record<string, string>, consumer: ServiceName): Promise<void> {
  const main = fileURLToPath(new URL('../services/identity/src/main.ts', import.meta.url));
  const args = [main, 'events', 'resync', 'user.changed', '--consumer', consumer];
  const [code] = (await once(spawn(process.execPath, args, { env, stdio: 'inherit' }), 'exit')) as [number];
  if (code !== 0) throw new Error(`the resync ended with ${code}`);
}

/** Milliseconds of CPU of this process's exited children. */
const cpuOfChildren = () => processOf(process.pid)!.cpuOfExitedChildren * 1_000;

/** Publishes all users to a service, waits until it has the last one, and prints the rate and the CPU per user. */
async function measure(
  title: string,
  total: number,
  { stack, consumer }: { stack: WholeStack; consumer: ServiceName },
) {
  const last = FIRST_ID + total;
  const versionOf = async (service: ServiceName, table: string) =>
    (await stack.sql(service, `select version from ${table} where id = ${last}`))[0]?.['version'];
  const wanted = await versionOf('identity', 'account');
  const [before, childrenBefore, began] = [stack.measure(), cpuOfChildren(), performance.now()];
  await publishAll(stack.environmentOf('identity'), consumer);
  const published = performance.now() - began;
  await eventually('the last user', async () => (await versionOf(consumer, 'user_copy')) === wanted, HOUR_MS);
  const took = performance.now() - began;
  const after = stack.measure();
  const spent = PARTS.map((part) => [part, (after[part].cpu - before[part].cpu) * 1_000] as const);
  const each = [['publisher', cpuOfChildren() - childrenBefore] as const, ...spent]
    .map(([part, ms]) => `${part} ${((ms * 1_000) / total).toFixed(0)}`)
    .join(', ');
  const rate = (ms: number) => Math.round((total * 1_000) / ms).toLocaleString('en');
  console.log(
    `  ${consumer}, ${title}: ${rate(took)} users/s (published ${rate(published)}/s), µs of CPU per user: ${each}`,
  );
  const [{ missing }] = (await stack.sql(
    consumer,
    `select ${total} - count(*) as missing from user_copy where id > ${FIRST_ID} and version = ${String(wanted)}`,
  )) as [{ missing: unknown }];
  if (Number(missing) !== 0) throw new Error(`${String(missing)} users are missing`);
}

/**
 * `npm run bench -- resync [users] [consumers]`: publishes every user of identity again to each service in turn (one
 * replica each): first to a service without copies, then to one with copies of older versions. The whole product runs,
 * as with `npm start`, with all disk writes.
 */
export async function run([users = '20000', ...consumers]: string[]): Promise<void> {
  const total = Number(users);
  const stack = await startStack();
  try {
    await stack.sql('identity', people(total));
    await stack.sql('identity', SKILLS);
    await stack.sql('identity', 'vacuum analyze account, account_skill');
    for (const consumer of CONSUMERS.filter((name) => consumers.length === 0 || consumers.includes(name))) {
      await measure('no copies', total, { stack, consumer });
      await stack.sql('identity', `update account set version = version + 1 where id > ${FIRST_ID}`);
      await measure('older copies', total, { stack, consumer });
    }
  } finally {
    await stack.stop();
  }
}
