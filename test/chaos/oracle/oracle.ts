import type { Person } from '../person.ts';
import type { Certainty } from './certainty.ts';
import type { ExpectedBatch, ExpectedWithdrawal, MadeWithdrawal } from './payout.ts';

/*
 * The expected state of the system, from the requests of the harness and their answers. Nothing here uses the product's
 * code. Each request has a unique amount or text, so that its row can be identified.
 */

export interface ExpectedDeposit {
  student: number;
  amount: number;
  made: Certainty;
  id?: number;
  /** `must`: a webhook reported the payment and was confirmed. `may`: a webhook was sent. `no`: none was sent. */
  paid: 'no' | Certainty;
}

export interface ExpectedDispute {
  student: number;
  /** The provider's own id. */
  ref: string;
  amount: number;
  /** The words that were confirmed, and those that were only sent. */
  confirmed: Set<string>;
  sent: Set<string>;
}

export interface ExpectedRefund {
  student: number;
  amount: number;
  made: Certainty;
  id?: number;
  /** The possible current states. */
  states: Set<string>;
}

export interface ExpectedMessage {
  /** The uuid of a room, or `support:` and the id of the user. */
  room: string;
  sender: number;
  text: string;
  made: Certainty;
  id?: number;
}

/** Bounds of a time by the harness's clock, in Unix milliseconds. */
export type Between = [earliest: number, latest: number];

export interface ExpectedCall {
  identifier: string;
  student: number;
  teacher: number;
  type: 'video' | 'audio';
  accepted: Between;
  /** When the request to end the call was sent, and when it was confirmed. */
  ended?: Between;
  /** When the last successful bill request was sent. */
  billedAt?: number;
}

export interface ExpectedFile {
  url: string;
  /** Undefined for an image, which the service re-encodes. */
  bytes: Buffer | undefined;
}

export interface Pair {
  student: Person;
  teacher: Person;
  room: string;
  /** Number of accept requests without an answer, which may have taken effect. */
  doubtfulAccepts: number;
}

export const STEP_SECONDS = 2;
/** Prices that the harness sets; the first step includes the base. */
export const PRICES = {
  video: { iterator: STEP_SECONDS, base: 100, step: 50 },
  audio: { iterator: STEP_SECONDS, base: 50, step: 25 },
} as const;
export const COMMISSION_PERCENT = 10;
/** Payouts of at least this amount need two administrators. */
export const CHECKER_FROM = 60;

export const costOf = (type: 'video' | 'audio', steps: number) =>
  steps === 0 ? 0 : PRICES[type].base + steps * PRICES[type].step;

export const stepAmount = (type: 'video' | 'audio', step: number) =>
  PRICES[type].step + (step === 1 ? PRICES[type].base : 0);

export const commissionOf = (amount: number) => Math.floor((amount * COMMISSION_PERCENT) / 100);

/** Bounds of the number of steps between acceptance and end. A step is paid when it begins. */
export function stepsBetween({ accepted, ended }: Pick<ExpectedCall, 'accepted' | 'ended'>) {
  if (!ended) return { least: 0, most: Infinity };
  const steps = (ms: number) => Math.floor(Math.max(0, ms) / (STEP_SECONDS * 1_000)) + 1;
  return { least: steps(ended[0] - accepted[1]), most: steps(ended[1] - accepted[0]) };
}

export function createOracle() {
  const amounts = new Map<number, number>();
  let texts = 0;
  return {
    pairs: [] as Pair[],
    deposits: [] as ExpectedDeposit[],
    withdrawals: [] as ExpectedWithdrawal[],
    disputes: [] as ExpectedDispute[],
    refunds: [] as ExpectedRefund[],
    /** Withdrawals that wait for a batch of payouts. */
    payable: [] as MadeWithdrawal[],
    batches: [] as ExpectedBatch[],
    /** Batches that may have been made, although nobody knows their ids. */
    doubtfulBatches: 0,
    messages: new Map<string, ExpectedMessage>(),
    calls: new Map<string, ExpectedCall>(),
    files: [] as ExpectedFile[],
    /** E-mail addresses of registrations, and whether they were confirmed. */
    registered: new Map<string, Certainty>(),
    /** Tokens with a confirmed logout, and when it was confirmed. */
    deadTokens: [] as { token: string; at: number }[],
    /** An amount above `from` that was not returned before for this `from`. */
    nextAmount: (from: number) => {
      amounts.set(from, (amounts.get(from) ?? from) + 1);
      return amounts.get(from)!;
    },
    nextText: () => `line ${(texts += 1)}`,
  };
}

export type Oracle = ReturnType<typeof createOracle>;
