import type { Wallet } from './wallet.ts';

const [STUDENT, TEACHER, OTHER] = [1, 2, 3];

/** Fills a correct ledger: two students, a teacher, deposits, a call of two steps with a refund, withdrawals. */
export async function fillBooks(wallet: Wallet): Promise<void> {
  await wallet.service.receive('setting.changed', { name: 'min_withdrawal', value: 1, version: 1 });
  const su = wallet.service.api.admin('su');
  await wallet.topUp(STUDENT, 10_000);
  await wallet.topUp(OTHER, 500);
  await wallet.service.api.student(OTHER).post('/api/deposits', { amount: 300 });
  const taken = await wallet.topUp(OTHER, 200);
  await su.put(`/api/admin/deposits/${taken}`, { status: 'failed' });
  await wallet.hold('c1', STUDENT, 150);
  await wallet.charge({ call: 'c1', step: 1, student: STUDENT, teacher: TEACHER, amount: 1500, percent: 10, next: 50 });
  await wallet.charge({ call: 'c1', step: 2, student: STUDENT, teacher: TEACHER, amount: 500, percent: 10, next: 50 });
  await su.post('/api/admin/calls/c1/refund', { amount: 300 });
  for (const status of ['initiated', 'success', 'failed'])
    await su.put(`/api/admin/withdrawals/${(await wallet.withdraw(TEACHER, 100)).body.id}`, { status });
}

const DROP_CHECKS = 'alter table account drop constraint account_covered';
const FORGED_DEPOSIT = (reference: string) =>
  `insert into transfer (kind, reference, debit_account, credit_account, amount) values ('deposit', '${reference}', -10, ${OTHER}, 70)`;
const CREDIT = `update account set balance = balance + 70 where user_id = ${OTHER}`;

/** Manipulations: a name, the statements, and the text that the audit must report. */
export const TAMPERINGS: [string, string[], string][] = [
  ['a balance raised', ['update account set balance = balance + 1 where user_id = 1'], 'account:1'],
  [
    'a balance moved to another user',
    [
      'update account set balance = balance - 5 where user_id = 1',
      'update account set balance = balance + 5 where user_id = 3',
    ],
    'account:3',
  ],
  ['more held than the holds say', ['update account set held = held + 1 where user_id = 1'], 'account:1'],
  ['an account removed', ['delete from account where user_id = 3'], 'account:3'],
  ['an account invented', ['insert into account (user_id, balance) values (99, 1000)'], 'account:99'],
  [
    'a balance below zero, with a transfer to match',
    [
      DROP_CHECKS,
      `insert into transfer (kind, reference, debit_account, credit_account, amount) values ('forfeit', 'forfeit:3:1', 3, -2, 900)`,
      'update account set balance = balance - 900 where user_id = 3',
    ],
    'account:3',
  ],
  ['a transfer removed', [`delete from transfer where reference = 'deposit:1:1'`], 'deposit:1'],
  [
    'a transfer raised',
    [`update transfer set amount = amount + 1 where reference = 'call:c1:step:1' and kind = 'call'`],
    'account:1',
  ],
  [
    'a transfer raised, with both balances to match',
    [
      `update transfer set amount = amount + 10 where reference = 'call:c1:step:1' and kind = 'call'`,
      'update account set balance = balance - 10 where user_id = 1',
      'update account set balance = balance + 10 where user_id = 2',
    ],
    'payment of call:c1 for user 1',
  ],
  [
    'a deposit credited to another user, with both balances to match',
    [
      `update transfer set credit_account = 3 where reference = 'deposit:1:1'`,
      'update account set balance = balance - 10000, held = 0 where user_id = 1',
      'update account set balance = balance + 10000 where user_id = 3',
      `update hold set amount = 0, state = 'released' where user_id = 1`,
    ].map((statement, index) => (index === 1 ? `${DROP_CHECKS}; ${statement}` : statement)),
    'deposit:1',
  ],
  [
    'a deposit booked as unclaimed though its user exists',
    [
      `update transfer set credit_account = -3 where reference = 'deposit:2:1'`,
      'update account set balance = balance - 500 where user_id = 3',
    ],
    'deposit:2',
  ],
  ['a deposit forged without a record', [FORGED_DEPOSIT('deposit:777:1'), CREDIT], 'deposit:777'],
  ['a deposit credited a second time', [FORGED_DEPOSIT('deposit:2:9'), CREDIT], 'deposit:2'],
  ['a transfer with a malformed reference', [FORGED_DEPOSIT('bonus'), CREDIT], 'a proper deposit'],
  [
    'a transfer posted twice under one reference',
    [
      'alter table transfer drop constraint transfer_reference',
      `insert into transfer (kind, reference, debit_account, credit_account, amount)
     select kind, reference, debit_account, credit_account, amount from transfer where reference = 'deposit:1:1'`,
      'update account set balance = balance + 10000 where user_id = 1',
    ],
    'deposit deposit:1:1',
  ],
  [
    'a transfer with a negative amount',
    [
      'alter table transfer drop constraint transfer_amount_check',
      `insert into transfer (kind, reference, debit_account, credit_account, amount) values ('deposit', 'deposit:2:2', -10, 3, -7)`,
    ],
    'a proper deposit',
  ],
  [
    'a changed kind of a transfer',
    [`update transfer set kind = 'refund' where reference = 'call:c1:step:2' and kind = 'call'`],
    'a proper refund',
  ],
  [
    'money from an account that does not exist',
    [`update transfer set debit_account = -77 where reference = 'deposit:1:1'`],
    'a proper deposit',
  ],
  ['an unpaid deposit marked as paid', [`update deposit set status = 'success' where status = 'pending'`], 'deposit:3'],
  ['a deposit record with a raised amount', ['update deposit set amount = amount * 2 where id = 1'], 'deposit:1'],
  ['a deposit removed', ['delete from deposit where id = 1'], 'deposit:1'],
  ['a deposit record moved to another user', ['update deposit set user_id = 3 where id = 1'], 'deposit:1'],
  [
    'a withdrawal marked as failed after it was paid out',
    [`update withdrawal set status = 'failed' where status = 'success'`],
    'withdrawal:2',
  ],
  [
    'a withdrawal marked as canceled while its money is held',
    [`update withdrawal set status = 'canceled' where status = 'initiated'`],
    'hold:withdrawal:1:hold:1',
  ],
  ['a hold removed', [`delete from hold where reference = 'call:c1'`], 'account:1'],
  ['a hold raised', [`update hold set amount = amount + 1 where reference = 'call:c1'`], 'account:1'],
  [
    'a hold released without freeing its money',
    [`update hold set state = 'released' where reference = 'call:c1'`],
    'hold:call:c1',
  ],
  [
    'a hold moved to another user',
    [`update hold set user_id = 3 where reference = 'withdrawal:1:hold:1'`],
    'hold:withdrawal:1:hold:1',
  ],
  [
    'a hold that should have expired long ago',
    [`update hold set expires_at = app_now() - interval '2 hours' where reference = 'call:c1'`],
    'hold:call:c1',
  ],
  [
    'a payment raised',
    [`update payment set amount = amount + 1 where source = 'call:c1' and user_id = 2`],
    'payment of call:c1 for user 2',
  ],
  ['a payment removed', [`delete from payment where source = 'deposit:1'`], 'payment of deposit:1'],
  [
    'a payment invented',
    [
      `insert into payment (source, user_id, type, direction, amount, currency, status) values ('call:c9', 3, 'call', 'in', 9, 'XOF', 'success')`,
    ],
    'payment of call:c9 for user 3',
  ],
  [
    'a payment without a source',
    [
      `insert into payment (source, user_id, type, direction, amount, currency, status) values ('bonus:1', 3, 'refund', 'in', 9, 'XOF', 'success')`,
    ],
    'refund of bonus:1',
  ],
  [
    'an invented refund of a deposit',
    [
      `insert into payment (source, user_id, type, direction, amount, currency, status) values ('deposit:1', 3, 'refund', 'in', 9, 'XOF', 'success')`,
    ],
    'refund of deposit:1',
  ],
  [
    'a payment with another status than its deposit',
    [`update payment set status = 'failed' where source = 'deposit:1'`],
    'payment of deposit:1',
  ],
  [
    'a commission larger than its charge',
    [`update transfer set amount = 2000 where reference = 'call:c1:step:1' and kind = 'commission'`],
    'at most 1500',
  ],
  [
    'more refunded than charged',
    [
      `insert into transfer (kind, reference, debit_account, credit_account, amount) values ('refund', 'call:c1:refund:2', 2, 1, 1800)`,
    ],
    'call:c1',
  ],
  [
    'a refund to another user',
    [`update transfer set credit_account = 3 where kind = 'refund'`],
    'transfer of call:c1:refund:1',
  ],
];

/** Manipulations that the seals must reveal, after the ledger was sealed in blocks of five. */
export const SEALED_TAMPERINGS: typeof TAMPERINGS = [
  [
    'a change of the time of an old transfer',
    [`update transfer set created_at = created_at - interval '1 day' where id = 1`],
    'block:1 (transfers 1 to ',
  ],
  ['an old transfer removed', ['delete from transfer where id = 2'], 'block:1 (transfers 1 to '],
  ['a block with a changed sum', ['update audit_block set amount = amount + 1 where block = 1'], 'block:1 '],
  ['a block with a changed count', ['update audit_block set transfers = transfers + 1 where block = 2'], 'block:2 '],
  ['a resealed block', [`update audit_block set chain = md5('x') where block = 1`], 'block:1 '],
  ['a block removed', ['delete from audit_block where block = 2'], 'block:3 (transfers 1 to '],
  [
    'a forged sealed sum of an account',
    ['update audit_account set balance = balance + 7 where user_id = 1'],
    'sealed sum of account:1',
  ],
  [
    'a balance raised together with its sealed sum',
    [
      'update account set balance = balance + 7 where user_id = 1',
      'update audit_account set balance = balance + 7 where user_id = 1',
    ],
    'a balance is the sum of its transfers | account:1',
  ],
  [
    'a payout that waits for a withdrawal that was decided',
    [
      `insert into payout_batch (status, format, currency, needs_approval, creator_id, creator_name)
       values ('exported', 'csv', 'XOF', false, 1, 'Ada')`,
      `insert into payout_item (batch_id, withdrawal_id, user_id, amount, status)
       select 1, id, user_id, amount, 'sent' from withdrawal where status = 'success' limit 1`,
    ],
    'payout_item:1',
  ],
];
