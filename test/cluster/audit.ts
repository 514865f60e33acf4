import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const AUDIT = fileURLToPath(new URL('../../services/wallet/src/audit/main.ts', import.meta.url));

/** The output of `npm run audit -w services/wallet`. Throws when the ledger does not add up. */
export async function auditLedger({ url }: { url: string }, pooler = 'none'): Promise<string> {
  const env = { DATABASE_URL: url, DATABASE_POOLER: pooler };
  const { stdout } = await promisify(execFile)(process.execPath, [AUDIT], { env });
  return stdout;
}
