import type { BatchStatus, ItemStatus } from '@tutoring/shared/contract/payout';
import type { Status } from '../records/record.ts';

/*
 * Everything that can happen to a batch of payouts and to its items. What is not in a table is refused: nothing leads
 * from `uncertain` back to a state in which an item is sent.
 */

export type BatchEvent = 'approve' | 'export' | 'close' | 'cancel';

export const BATCH_MOVES: Record<BatchStatus, Partial<Record<BatchEvent, BatchStatus>>> = {
  draft: { approve: 'approved', cancel: 'canceled' },
  approved: { export: 'exported', cancel: 'canceled' },
  exported: { close: 'closed' },
  closed: {},
  canceled: {},
};

/** `export` and `remove` by the batch; the others are the news of a payout. */
export type ItemEvent = 'export' | 'remove' | 'paid' | 'failed' | 'uncertain' | 'returned';

export const ITEM_MOVES: Record<ItemStatus, Partial<Record<ItemEvent, ItemStatus>>> = {
  waiting: { export: 'sent', remove: 'removed' },
  sent: { paid: 'paid', failed: 'failed', uncertain: 'uncertain' },
  uncertain: { paid: 'paid', failed: 'failed' },
  paid: { returned: 'returned' },
  failed: {},
  removed: {},
  returned: {},
};

/** The status of the withdrawal of an item: its money is held while it is `pending` or `initiated`. */
export const WITHDRAWAL_OF: Record<ItemStatus, Status> = {
  waiting: 'pending',
  sent: 'pending',
  uncertain: 'pending',
  paid: 'success',
  failed: 'failed',
  removed: 'initiated',
  returned: 'failed',
};

/** The states in which an item may still be paid. */
export const OPEN_ITEMS: ItemStatus[] = ['waiting', 'sent', 'uncertain'];

/** What a bank or operator says about an item. */
export const REPORTS = ['paid', 'failed', 'uncertain'] as const;
export type Report = (typeof REPORTS)[number];

/** What applying a report does: a move, or a break; otherwise nothing. */
export interface Effect {
  verdict: Report | 'already';
  moves: boolean;
  breaks: boolean;
}

const MOVES = (verdict: Report): Effect => ({ verdict, moves: true, breaks: false });
const ALREADY: Effect = { verdict: 'already', moves: false, breaks: false };
const CONTRADICTS: Effect = { verdict: 'already', moves: false, breaks: true };

/**
 * What a report does to an item. Money that may have been paid is not released because a report says so later: that is
 * a break, and a person decides.
 */
export const REPORTED: Record<ItemStatus, Record<Report, Effect>> = {
  waiting: { paid: CONTRADICTS, failed: ALREADY, uncertain: ALREADY },
  sent: { paid: MOVES('paid'), failed: MOVES('failed'), uncertain: MOVES('uncertain') },
  uncertain: { paid: MOVES('paid'), failed: { verdict: 'uncertain', moves: false, breaks: true }, uncertain: ALREADY },
  paid: { paid: ALREADY, failed: CONTRADICTS, uncertain: ALREADY },
  failed: { paid: CONTRADICTS, failed: ALREADY, uncertain: ALREADY },
  removed: { paid: CONTRADICTS, failed: ALREADY, uncertain: ALREADY },
  returned: { paid: ALREADY, failed: ALREADY, uncertain: ALREADY },
};

/**
 * What a payment provider says about a payout. `unknown`: no answer, no such payout, a word that this release does not
 * know, or other money than ours.
 */
export const PROVIDER_WORDS = ['pending', 'paid', 'failed', 'returned', 'unknown'] as const;
export type ProviderWord = (typeof PROVIDER_WORDS)[number];

/** What a provider's word does: moves, and the kind of a break. */
interface Hearing {
  moves: ('paid' | 'failed' | 'uncertain' | 'returned')[];
  breaks?: 'status' | 'returned';
}

const NOTHING: Hearing = { moves: [] };
const DIFFERS: Hearing = { moves: [], breaks: 'status' };
const IGNORED = { pending: NOTHING, paid: NOTHING, failed: NOTHING, returned: NOTHING, unknown: NOTHING };

/**
 * What a provider's word does to an item. Its `failed` releases money only of a payout that is `sent`: of an uncertain one
 * a person decides. Money that comes back is the teacher's again, and a break makes somebody look into it.
 */
export const HEARD: Record<ItemStatus, Record<ProviderWord, Hearing>> = {
  waiting: { ...IGNORED, paid: DIFFERS },
  sent: {
    pending: NOTHING,
    paid: { moves: ['paid'] },
    failed: { moves: ['failed'] },
    returned: { moves: ['paid', 'returned'], breaks: 'returned' },
    unknown: { moves: ['uncertain'] },
  },
  uncertain: {
    ...IGNORED,
    paid: { moves: ['paid'] },
    failed: DIFFERS,
    returned: { moves: [], breaks: 'returned' },
  },
  paid: { ...IGNORED, failed: DIFFERS, returned: { moves: ['returned'], breaks: 'returned' } },
  failed: { ...IGNORED, paid: DIFFERS },
  removed: { ...IGNORED, paid: DIFFERS },
  returned: IGNORED,
};

/** The request to a provider about a due payout: it is sent once, and from the moment that begins only asked about. */
export function requestAbout({ status, isBegun }: { status: ItemStatus; isBegun: boolean }): 'send' | 'find' | 'none' {
  if (isBegun) return 'find';
  return status === 'sent' ? 'send' : 'none';
}

/** Why a withdrawal cannot be in a new batch; undefined when it can. */
export function exclusionOf(of: {
  status: Status;
  isBanned: boolean;
  isUsable: boolean;
}): 'not_initiated' | 'banned' | 'account_not_usable' | undefined {
  if (of.status !== 'initiated') return 'not_initiated';
  if (of.isBanned) return 'banned';
  return of.isUsable ? undefined : 'account_not_usable';
}

/** Whether a payout of this amount needs two administrators. `checkerFrom` 0: never. */
export const needsChecker = (amount: number, checkerFrom: number): boolean => checkerFrom > 0 && amount >= checkerFrom;

/** Whether this administrator may approve a batch, or settle its items by hand. */
export const mayCheck = (admin: { id: number }, batch: { needs_approval: boolean; creator_id: number }): boolean =>
  !batch.needs_approval || batch.creator_id !== admin.id;
