import { edit, type Mutant } from './mutant.ts';

/** Defects in what brings money back and pays it out. */
export const MONEY_MUTANTS: Record<string, Mutant> = {
  'taken twice': {
    edits: [
      edit(
        'services/wallet/src/disputes/dispute-move.ts',
        "if (taken_at === null) return isCredited && TAKEN.includes(status) ? 'take' : 'none';",
        "if (taken_at === null || status === 'lost') return isCredited && TAKEN.includes(status) ? 'take' : 'none';",
      ),
    ],
  },
  'won twice': {
    edits: [
      edit(
        'services/wallet/src/disputes/dispute-move.ts',
        "return returned_at === null && status === 'won' ? 'return' : 'none';",
        "return status === 'won' && returned_at !== undefined ? 'return' : 'none';",
      ),
    ],
  },
  'recovery in a transaction of its own': {
    edits: [
      edit(
        'services/wallet/src/deposits/credit-service.ts',
        '  if (isAwaited) await settleCredit(tx, currency, deposit, settings.recover_debts === 1);\n',
        '  if (isAwaited && settleCredit === undefined) throw new Error();\n',
      ),
      edit(
        'services/wallet/src/deposits/payment-service.ts',
        "import { receiveClaims } from './claim-service.ts';\n",
        "import { receiveClaims } from './claim-service.ts';\nimport { settleCredit } from '../disputes/dispute-service.ts';\n",
      ),
      edit(
        'services/wallet/src/deposits/payment-service.ts',
        "  reportPayment(parts, provider, { by: 'webhook', outcome, ref, deposit_id: depositId, event: event.id });\n",
        `  if (outcome === 'credited') await parts.database.transact(async (tx) => {
    const deposit = await lockPayable(tx, depositId!);
    if (deposit) await settleCredit(tx, parts.currency, deposit, true);
  });
  reportPayment(parts, provider, { by: 'webhook', outcome, ref, deposit_id: depositId, event: event.id });\n`,
      ),
    ],
    minutes: 2,
  },
  'refund sent twice': {
    edits: [
      edit(
        'services/wallet/src/deposit-refunds/deposit-refund-service.ts',
        'const isRepeat = status === refund.status;',
        "const isRepeat = status === refund.status && status !== 'sent';",
      ),
      edit(
        'services/wallet/src/deposit-refunds/deposit-refund.ts',
        '  sent: {\n    success',
        "  sent: {\n    send: { to: 'sent', effect: 'keep' },\n    success",
      ),
    ],
  },
  'item sent twice': {
    edits: [
      edit(
        'services/wallet/migrations/1796300000000-payouts.sql',
        'create unique index payout_item_open',
        'create index payout_item_open',
      ),
      edit('services/wallet/src/withdrawals/withdrawal-store.ts', ' order by id for no key update`', ' order by id`'),
    ],
  },
  'payout sent to its provider twice': {
    edits: [
      edit(
        'services/wallet/src/batches/batch-move.ts',
        "  if (isBegun) return 'find';\n",
        "  if (isBegun) return status === 'sent' || status === 'uncertain' ? 'send' : 'find';\n",
      ),
      edit(
        'services/wallet/src/batches/provider-payout-store.ts',
        "where id = $1 and status = 'sent' and sending_at is null returning id",
        'where id = $1 returning id',
      ),
    ],
    // The provider is asked again after a minute.
    minutes: 3,
  },
  'apply in one transaction for all': {
    edits: [
      edit('services/wallet/src/results/result-service.ts', 'const WORKERS = 4;', 'const WORKERS = 1;'),
      edit(
        'services/wallet/src/results/result-service.ts',
        '  await applyOpen({ parts, admin, batchId, importId, format: batch.format });\n',
        `  await database.transact((tx) => {
    const own = Object.create(database, { transact: { value: (work: (tx: Tx) => unknown) => work(tx) } });
    return applyOpen({ parts: { ...parts, database: own }, admin, batchId, importId, format: batch.format });
  });\n`,
      ),
    ],
  },
  'uncertain released': {
    edits: [
      edit(
        'services/wallet/src/batches/batch-move.ts',
        "failed: { verdict: 'uncertain', moves: false, breaks: true }, uncertain: ALREADY",
        "failed: MOVES('failed'), uncertain: ALREADY",
      ),
    ],
    minutes: 1.5,
  },
  'approval of changed items': {
    edits: [
      edit(
        'services/wallet/src/batches/batch-service.ts',
        'const isExpected = expected_version === undefined ||',
        "const isExpected = event === 'approve' || expected_version === undefined ||",
      ),
    ],
  },
};
