import { AppError } from '@tutoring/shared/errors';
import type { InternalClient } from '@tutoring/shared/internal-client';
import type { Logger } from '@tutoring/shared/logger';
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
  available: number;
}

/** The commands and questions to wallet; every command is idempotent by its reference, so any may be repeated. */
export function createWallet({ client, logger }: { client: InternalClient; logger: Logger }) {
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

    /** What the user can spend. Throws unavailable when wallet is away. */
    available: async (userId: number) => (await client.get<BalanceAnswer>(`/internal/balances/${userId}`)).available,
  };
}

export type Wallet = ReturnType<typeof createWallet>;
