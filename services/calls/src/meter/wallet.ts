import type { Database } from '@tutoring/shared/database/open';
import { AppError } from '@tutoring/shared/errors';
import type { InternalClient } from '@tutoring/shared/internal-client';
import type { Logger } from '@tutoring/shared/logger';
import { findAvailable, saveBalance } from '../people/people-store.ts';
import { stepCost, type Prices } from './meter.ts';

/** What wallet said to a hold or a charge; `away` means that nobody knows whether it took effect. */
export type Verdict<Answer> = { said: 'yes'; answer: Answer } | { said: 'no money' } | { said: 'away' };

export interface ChargeAnswer {
  charged: number;
  reserved: number;
  available: number;
}

export interface Chargeable extends Prices {
  identifier: string;
  call_type: string;
  student_id: number;
  teacher_id: number;
  commission_percent: number;
}

const holdOf = (identifier: string) => `call:${identifier}`;

interface BalanceAnswer {
  user_id: number;
  available: number;
  version: number;
}

/** The commands and questions to wallet; every command is idempotent by its reference, so any may be repeated. */
export function createWallet(options: { client: InternalClient; database: Database; logger: Logger }) {
  const { client, database, logger } = options;

  async function ask<Answer>(request: Promise<Answer>): Promise<Verdict<Answer>> {
    try {
      return { said: 'yes', answer: await request };
    } catch (error) {
      if (error instanceof AppError && error.code === 'payment_required') return { said: 'no money' };
      if (!(error instanceof AppError) || error.code !== 'unavailable')
        logger.error({ err: error }, 'wallet refused what it should understand');
      return { said: 'away' };
    }
  }

  /** What the user can spend, as wallet says now. Throws unavailable when it is away. */
  async function available(userId: number): Promise<number> {
    const balance = await client.get<BalanceAnswer>(`/internal/balances/${userId}`);
    await saveBalance(database.manager, balance);
    return balance.available;
  }

  return {
    /** Reserves `amount` for the call; a free step needs no hold. */
    hold: (call: { identifier: string; student_id: number }, amount: number, timeoutMs: number) =>
      amount === 0
        ? Promise.resolve<Verdict<{ held: number }>>({ said: 'yes', answer: { held: 0 } })
        : ask(
            client.post<{ held: number }>(
              '/internal/holds',
              { reference: holdOf(call.identifier), user_id: call.student_id, amount },
              { timeoutMs },
            ),
          ),

    release: (identifier: string, timeoutMs: number) =>
      ask(
        client.post<{ released: number }>('/internal/holds/release', { reference: holdOf(identifier) }, { timeoutMs }),
      ),

    /** Charges step `step` and reserves `next` for the one after it. */
    charge: (call: Chargeable, step: number, next: number, timeoutMs: number) =>
      ask(
        client.post<ChargeAnswer>(
          '/internal/charges',
          {
            reference: `call:${call.identifier}:step:${step}`,
            hold: holdOf(call.identifier),
            student_id: call.student_id,
            teacher_id: call.teacher_id,
            amount: stepCost(step, call),
            commission_percent: call.commission_percent,
            next_amount: next,
            call: { identifier: call.identifier, call_type: call.call_type, step },
          },
          { timeoutMs },
        ),
      ),

    available,

    /**
     * Whether the user can spend `amount`. The copy's yes is enough (a hold decides later); its no is checked with wallet,
     * because money may have just come in. Throws unavailable when wallet is away and never told a balance.
     */
    async canAfford(userId: number, amount: number): Promise<boolean> {
      if (amount === 0) return true;
      const known = await findAvailable(database.manager, userId);
      if (known !== undefined && known >= amount) return true;
      try {
        return (await available(userId)) >= amount;
      } catch (error) {
        if (known === undefined) throw error;
        return false;
      }
    },
  };
}

export type Wallet = ReturnType<typeof createWallet>;
