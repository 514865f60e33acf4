import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '../world.ts';

/** The audit checks a transfer within a minute of its commit, and the newest block of transfers every 10 seconds. */
const FOUND_MS = 60_000;

const FINDINGS = 'select * from audit_finding limit 5';
/** Changes history with the triggers disabled, which only a superuser can do. */
const FORGE = `
  alter table transfer disable trigger user;
  update transfer set amount = amount + 1 where id = (select max(id) from transfer);
  alter table transfer enable trigger user`;

/**
 * The last check of a run: wallet's own audit has no findings in spite of all faults, and then finds a forged transfer
 * in time.
 */
export async function checkTampering({ stack, record }: World): Promise<void> {
  const alarms = await stack.sql('wallet', FINDINGS);
  if (alarms.length > 0) return record.violation('the audit has findings in a ledger that adds up', alarms);
  await stack.sql('wallet', FORGE);
  const since = performance.now();
  while ((await stack.sql('wallet', FINDINGS)).length === 0) {
    if (performance.now() - since > FOUND_MS) return record.violation('a forged transfer was not found');
    await pause(200);
  }
  record.seen('a forged transfer was found');
}
