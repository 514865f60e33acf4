import { serviceConfig } from '@tutoring/shared/contract/config';
import { parseConfig } from '@tutoring/shared/kit/process/config';
import { openDatabase } from '@tutoring/shared/kit/database/open';
import { runProcess } from '@tutoring/shared/kit/process/process';
import { audit } from './audit-store.ts';

/** `npm run audit -w services/wallet`: prints every finding of the full audit; exits 1 when there is one. */
await runProcess('wallet-audit', { LOG_LEVEL: 'warn', ...process.env }, async (logger) => {
  const settings = serviceConfig.pick({ DATABASE_URL: true, DATABASE_POOLER: true });
  const { DATABASE_URL: url, DATABASE_POOLER: pooler } = parseConfig(settings, process.env);
  const database = await openDatabase({ url, name: 'wallet-audit', pool: 1, pooler, logger });
  try {
    const { accounts, transfers, findings } = await audit(database);
    for (const { check, subject, expected, found } of findings)
      console.log(`${check}: ${subject} should be ${expected}, is ${found}`);
    const verdict = findings.length === 0 ? 'adds up' : `does not add up: ${findings.length} findings`;
    console.log(`The ledger of ${accounts} accounts and ${transfers} transfers ${verdict}.`);
    if (findings.length > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
  return { stop: () => Promise.resolve() };
});
