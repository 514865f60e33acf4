import type { DataSource } from 'typeorm';
import { IDLE_IN_TRANSACTION_MS, LOCK_MS, STATEMENT_MS } from '../process/deadlines.ts';

/**
 * Settings of every session. They are sent when a connection starts; behind a pooler the service's role has them
 * (deploy/postgres/provision.sh).
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

/** Throws when a session lacks the settings: a pooler that ignores start-up parameters drops them without a word. */
export async function verifySession(source: DataSource): Promise<void> {
  const found = await source.query<{ name: string; setting: string }[]>(
    'select name, setting from pg_settings where name = any($1)',
    [Object.keys(SESSION)],
  );
  const wrong = found.filter(({ name, setting }) => setting !== SESSION[name]);
  if (wrong.length === 0) return;
  await source.destroy();
  const list = wrong.map(({ name, setting }) => `${name} is ${setting} instead of ${SESSION[name]}`).join(', ');
  throw new Error(`sessions of the database have wrong settings: ${list}; set them on the role (docs/operations.md)`);
}
