import { z } from 'zod';
import { assertThat } from '@tutoring/shared/kit/errors';
import type { Outgoing } from '@tutoring/shared/contract/publish';
import { timestamp } from '@tutoring/shared/kit/http/declare/fields';
import { moneyGone } from '../errors.ts';

/**
 * System accounts besides those of payment providers: negative ids; they have no row, their balances are sums of
 * transfers. `unclaimed` holds deposits paid after the user's account was closed, `losses` what providers took back and
 * students did not have.
 */
export const SYSTEM_ACCOUNTS = {
  revenue: -1,
  forfeits: -2,
  unclaimed: -3,
  losses: -4,
  payouts: -20,
} as const;

const TRANSFER_KINDS = [
  'deposit',
  'deposit_reversal',
  'withdrawal',
  'withdrawal_reversal',
  'call',
  'commission',
  'refund',
  'commission_refund',
  'forfeit',
] as const;

/** A movement of `amount` (smallest unit, positive) from one account to another; (reference, kind) is unique. */
export interface Posting {
  kind: (typeof TRANSFER_KINDS)[number];
  reference: string;
  debit: number;
  credit: number;
  amount: number;
}

/** A posting of a call: a charge or commission of the step `number`, or a part of the refund `number`. */
export type CallPosting = Posting & { number: number; created_at: string };

export const ofKind = <Any extends Posting>(postings: Any[], wanted: Posting['kind']) =>
  postings.filter(({ kind }) => kind === wanted);

/** The receipt of a call: its charges, each with its commission, and its refunds. */
export function receiptOf(postings: CallPosting[]) {
  const commissions = new Map(ofKind(postings, 'commission').map(({ reference, amount }) => [reference, amount]));
  return {
    charges: ofKind(postings, 'call').map(({ number, reference, amount, created_at }) => ({
      step: number,
      amount,
      commission: commissions.get(reference) ?? 0,
      reference,
      created_at,
    })),
    refunds: ofKind(postings, 'refund').map(({ reference, amount, created_at }) => ({ reference, amount, created_at })),
  };
}

/** A user's account. `held` is the part of the balance that open holds reserve. */
export interface Account {
  user_id: number;
  balance: number;
  held: number;
  version: number;
}

/** Locked accounts, by user id. */
export type Accounts = ReadonlyMap<number, Account>;

/** Money of an account that is reserved under a reference. */
export interface Hold {
  reference: string;
  user_id: number;
  amount: number;
  state: 'open' | 'released' | 'expired';
  /** null: open until captured or released */
  expires_at: string | null;
  version: number;
}

/** The amount of an open hold; 0 for any other, or none. */
export const heldBy = (hold: Hold | undefined) => (hold?.state === 'open' ? hold.amount : 0);

/** A hold before its first version. */
export const newHold = (reference: string, user_id: number): Hold => ({
  reference,
  user_id,
  amount: 0,
  state: 'open',
  expires_at: null,
  version: 0,
});

export interface Balance extends Account {
  /** balance - held */
  available: number;
}

export const availableOf = ({ balance, held }: Account) => balance - held;

/**
 * The users' accounts after a transfer, in ascending order of ids, without system accounts. Throws conflict when the
 * debited user does not have the amount available.
 */
export function accountsAfter({ debit, credit, amount }: Posting, accounts: Accounts): Account[] {
  const [from, to] = [accounts.get(debit), accounts.get(credit)];
  assertThat(!from || availableOf(from) >= amount, moneyGone);
  const after = [
    ...(from ? [{ ...from, balance: from.balance - amount }] : []),
    ...(to ? [{ ...to, balance: to.balance + amount }] : []),
  ];
  return after.sort((one, other) => one.user_id - other.user_id);
}

/** A changed row with its next version, as it is written and published. */
export const nextVersion = <Row extends { version: number }>(row: Row): Row => ({ ...row, version: row.version + 1 });

/** The events of a changed account: one for other services, and a live event for its owner. */
export function balanceEvents(account: Account, currency: string): Outgoing[] {
  const { user_id, balance, held, version } = account;
  const available = availableOf(account);
  return [
    { name: 'balance.changed', data: { user_id, balance, held, available, currency, version } },
    { to: { user: user_id }, event: 'wallet.balance', data: { balance, available, held } },
  ];
}

export const walletSchema = z
  .strictObject({
    balance: z.int().meta({ example: 5000 }),
    available: z.int().meta({ example: 4800 }),
    held: z.int().meta({ example: 200 }),
    currency: z.string().meta({ example: 'XOF' }),
  })
  .meta({ id: 'Wallet' });

/** A line of a user's statement. */
export const transactionSchema = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    type: z.enum(TRANSFER_KINDS),
    direction: z.enum(['in', 'out']),
    amount: z.int().meta({ example: 5000 }),
    ref: z.string().meta({ example: 'BANK-77' }),
    created_at: timestamp(),
  })
  .meta({ id: 'Transaction' });
export type Transaction = z.infer<typeof transactionSchema>;
