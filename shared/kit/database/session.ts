import { IDLE_IN_TRANSACTION_MS, LOCK_MS, STATEMENT_MS } from '../process/deadlines.ts';
import { rows, type Reader } from './sql.ts';

/**
 * Settings of every session. They are start-up parameters of a connection; behind a pooler they are set on the
 * service's role (deploy/postgres/provision.sh).
 */
export const SESSION: Readonly<Record<string, string>> = {
  TimeZone: 'UTC',
  statement_timeout: String(STATEMENT_MS),
  lock_timeout: String(LOCK_MS),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
};

export const SESSION_OPTIONS = Object.entries(SESSION)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** Throws when a session lacks the settings: some poolers silently drop start-up parameters. */
export async function verifySession(reader: Reader): Promise<void> {
  const found = await rows<{ name: string; setting: string }>(
    reader,
    'select name, setting from pg_settings where name = any($1)',
    [Object.keys(SESSION)],
  );
  const wrong = found.filter(({ name, setting }) => setting !== SESSION[name]);
  if (wrong.length === 0) return;
  const list = wrong.map(({ name, setting }) => `${name} is ${setting} instead of ${SESSION[name]}`).join(', ');
  throw new Error(`sessions of the database have wrong settings: ${list}; set them on the role (docs/operations.md)`);
}
