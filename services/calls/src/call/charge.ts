import type { CommandAnswer, CommandData } from '@tutoring/shared/contract/commands';

/** The outcome of a hold or a charge. `unknown`: it may or may not have taken effect. */
export type WalletVerdict<Answer> =
  { outcome: 'accepted'; answer: Answer } | { outcome: 'declined' } | { outcome: 'unknown' };

export type ChargeVerdict = CommandAnswer<'charge.make-batch'>[number];
export type ChargeAnswer = Omit<ChargeVerdict, 'verdict'>;

export type Charge = CommandData<'charge.make-batch'>['charges'][number];

export interface PendingCharge {
  request: Charge;
  /** When the caller stops waiting: process clock, in milliseconds. */
  until: number;
}
