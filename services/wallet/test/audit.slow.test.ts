import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '@tutoring/shared/database/open';
import { rows } from '@tutoring/shared/database/sql';
import { createLogger } from '@tutoring/shared/process/logger';
import { COMPILE_CACHE } from '@tutoring/shared/testing/compile-cache';
import { audit } from '../src/audit/audit-store.ts';
import { findWrong } from '../src/audit/scope-store.ts';
import type { Finding } from '../src/audit/audit.ts';
import { fillBooks, TAMPERINGS } from './tamperings.ts';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;
let owner: Database;

beforeAll(async () => {
  wallet = await startWallet();
  await fillBooks(wallet);
  owner = await openDatabase({
    url: wallet.service.ownerUrl,
    name: 'tamperer',
    pool: 2,
    logger: createLogger('wallet', 'silent'),
  });
});
afterAll(async () => {
  await owner.close();
  await wallet.stop();
});

class Undo extends Error {}

/** The audit's findings after `statements`, which are rolled back. */
async function auditAfter(statements: string[]): Promise<Finding[]> {
  let findings: Finding[] = [];
  await owner
    .transact(async (tx) => {
      for (const statement of statements) await rows(tx, statement);
      findings = await findWrong(tx);
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  return findings;
}

describe('the audit', () => {
  test('finds nothing in a correct ledger', async () => {
    const report = await audit(wallet.service.service.database);
    expect(report).toEqual({ accounts: 3, transfers: expect.any(Number), findings: [] });
  });

  test.each(TAMPERINGS)('finds %s', async (_name, statements, named) => {
    const findings = await auditAfter(statements);
    expect(findings.map((finding) => Object.values(finding).join(' | ')).join('\n')).toContain(named);
  });

  test('as a command: names the findings and exits 1; exits 0 without findings', async () => {
    const run = () =>
      promisify(execFile)(process.execPath, [fileURLToPath(new URL('../src/audit/main.ts', import.meta.url))], {
        env: { ...process.env, ...COMPILE_CACHE, DATABASE_URL: wallet.service.config.DATABASE_URL },
      }).then(
        ({ stdout }) => ({ code: 0, stdout }),
        (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
      );
    const right = await run();
    expect([right.code, right.stdout]).toEqual([
      0,
      expect.stringMatching(/^The ledger of 3 accounts and \d+ transfers adds up\.\n$/),
    ]);
    await wallet.service.asOwner('update account set balance = balance + 1 where user_id = 3');
    const wrong = await run();
    await wallet.service.asOwner('update account set balance = balance - 1 where user_id = 3');
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toContain('a balance is the sum of its transfers: account:3 should be 500, is 501');
  });
});

describe('history', () => {
  test.each([
    ['update transfer set amount = 1'],
    ['delete from transfer'],
    ['truncate transfer'],
    ['update webhook_event set event_id = null'],
    ['delete from webhook_event'],
    ['delete from deposit'],
    ['delete from withdrawal'],
    ['delete from payment'],
    ['delete from account'],
    ['delete from hold'],
    [`insert into system_account values (-99, 'mine')`],
    ['alter table transfer disable trigger all'],
  ])('the service’s own role cannot: %s', async (statement) => {
    await expect(wallet.service.rows(statement)).rejects.toThrow(/permission denied|must be owner/);
  });
});
