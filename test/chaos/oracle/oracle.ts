import type { Person } from '../person.ts';

/*
 * What must be and what may be, from what the harness asked and was told. Nothing here comes from the product's code.
 * Every request can be told from every other: by an amount or a text that no other has.
 */

/** `must`: it was confirmed. `may`: nobody knows, because who asked gave up before an answer came. */
export type Certainty = 'must' | 'may';

export interface ExpectedDeposit {
  student: number;
  amount: number;
  made: Certainty;
  id?: number;
  /** Whether the provider said that it was paid: and was heard, or perhaps. */
  paid: 'no' | Certainty;
}

export interface ExpectedWithdrawal {
  teacher: number;
  amount: number;
  made: Certainty;
  id?: number;
  /** The states it may be in now. */
  states: Set<string>;
}

export interface ExpectedMessage {
  /** A room, or a person's support room. */
  room: string;
  sender: number;
  text: string;
  made: Certainty;
  id?: number;
}

/** Moments by the harness's clock, in Unix milliseconds: the truth lies between the two. */
export type Between = [earliest: number, latest: number];

export interface ExpectedCall {
  identifier: string;
  student: number;
  teacher: number;
  type: 'video' | 'audio';
  accepted: Between;
  /** When somebody asked for the end, and was told that it was done. */
  ended?: Between;
  /** When the newest bill was sent that succeeded. */
  billedAt?: number;
}

export interface ExpectedFile {
  url: string;
  /** Undefined for an image: it is rendered anew. */
  bytes: Buffer | undefined;
}

export interface Pair {
  student: Person;
  teacher: Person;
  room: string;
  /** Acceptances of which nobody knows whether they took effect. */
  doubtfulAccepts: number;
}

export const STEP_SECONDS = 2;
/** Prices that the harness has set; the base is part of the first step. */
export const PRICES = {
  video: { iterator: STEP_SECONDS, base: 100, step: 50 },
  audio: { iterator: STEP_SECONDS, base: 50, step: 25 },
} as const;
export const COMMISSION_PERCENT = 10;

export const costOf = (type: 'video' | 'audio', steps: number) =>
  steps === 0 ? 0 : PRICES[type].base + steps * PRICES[type].step;

export const stepAmount = (type: 'video' | 'audio', step: number) =>
  PRICES[type].step + (step === 1 ? PRICES[type].base : 0);

export const commissionOf = (amount: number) => Math.floor((amount * COMMISSION_PERCENT) / 100);

/** How many steps the time between acceptance and end has; each is paid when it begins. */
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
    messages: new Map<string, ExpectedMessage>(),
    calls: new Map<string, ExpectedCall>(),
    files: [] as ExpectedFile[],
    /** E-mail of everybody who was registered, or perhaps. */
    registered: new Map<string, Certainty>(),
    /** Tokens whose logout was confirmed. */
    deadTokens: [] as { token: string; at: number }[],
    /** An amount that nobody else asks for of those who begin at `from`. */
    nextAmount: (from: number) => {
      amounts.set(from, (amounts.get(from) ?? from) + 1);
      return amounts.get(from)!;
    },
    nextText: () => `line ${(texts += 1)}`,
  };
}

export type Oracle = ReturnType<typeof createOracle>;
