import { createHash } from 'node:crypto';
import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { formOf, type Upload } from '@tutoring/shared/kit/http/read/upload';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import { currencyDigits } from '@tutoring/shared/kit/language/money';
import { recordBreaks } from '../breaks/break-service.ts';
import type { Parts } from '../parts.ts';
import { PROVIDERS } from '../providers/registry.ts';
import { readReport, repeatedLines, type ReportLine } from '../results/report.ts';
import { bytesOf } from '../results/result-service.ts';
import { compare, reconciliationForm, type Ours, type Reconciliation } from './reconciliation.ts';
import * as store from './reconciliation-store.ts';

const byName = <Row>(found: Row[], nameOf: (row: Row) => string) => new Map(found.map((row) => [nameOf(row), row]));

/** The provider that is meant: a mistyped name would make a break of every line. */
function providerNamed(typed: string): string {
  const name = typed.trim();
  return PROVIDERS.find((known) => known.name === name.toLowerCase())?.name ?? name;
}

/**
 * What of ours a report is about. A payment provider reports the deposits and payouts through it, payouts if its report
 * names any; a bank or operator reports the methods of which its report names any payout.
 */
async function oursIn(tx: Tx, report: store.Report, lines: ReportLine[]): Promise<Ours> {
  const refs = lines.flatMap(({ provider_ref }) => provider_ref ?? []);
  const references = lines.map(({ reference }) => reference);
  const isProvider = PROVIDERS.some(({ name }) => name === report.provider);
  const named = await store.itemsNamed(tx, report, references);
  const methods = [...new Set(named.map(({ method }) => method ?? ''))];
  const dueItems = async () => {
    if (!isProvider) return store.itemsPaid(tx, report, methods);
    return named.length > 0 ? store.itemsPaidBy(tx, report) : [];
  };
  return {
    items: byName(named, ({ name }) => name),
    deposits: byName(await store.depositsNamed(tx, report.provider, refs), ({ provider_ref }) => provider_ref),
    dueItems: await dueItems(),
    dueDeposits: isProvider ? await store.depositsPaid(tx, report) : [],
  };
}

async function reconcileNow(tx: Tx, admin: AdminCaller, report: store.Report, lines: ReportLine[]) {
  const earlier = await store.findReconciliation(tx, report);
  if (earlier) return earlier;
  const { matched, differences } = compare(lines, repeatedLines(lines), await oursIn(tx, report, lines));
  const figures = { rows: lines.length, matched, breaks: differences.length };
  const made = await store.insertReconciliation(tx, report, figures);
  if (!made) return (await store.findReconciliation(tx, report))!;
  const { provider, from, to } = report;
  await recordBreaks(
    tx,
    differences.map((difference) => ({ ...difference, provider })),
  );
  recordAdminAction(tx, admin, {
    action: 'reconciliation.created',
    subject: `reconciliation:${made.id}`,
    before: null,
    after: { provider, from, to, ...figures },
    at: made.created_at,
  });
  return made;
}

/**
 * Compares a provider's report with the ledger and records every difference as a break; moves no money. The same report
 * again answers the first comparison. Throws invalid and too_large.
 */
export async function reconcile(
  { database, currency }: Parts,
  admin: AdminCaller,
  upload: Upload,
): Promise<Reconciliation> {
  const bytes = await bytesOf(upload);
  const form = await formOf(upload, reconciliationForm);
  const provider = providerNamed(form.provider);
  const report = { ...form, provider, sha256: createHash('sha256').update(bytes).digest('hex') };
  const lines = await readReport(bytes, currencyDigits(currency));
  return database.transact((tx) => reconcileNow(tx, admin, report, lines));
}
