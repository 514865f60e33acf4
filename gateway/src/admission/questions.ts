import { circuitBreaker, ConsecutiveBreaker, handleWhen } from 'cockatiel';
import { AppError } from '@tutoring/shared/errors';
import type { CommandAnswer } from '@tutoring/shared/internal/catalogue';
import type { InternalClient } from '@tutoring/shared/internal/client';
import type { Language } from '@tutoring/shared/process/language';
import { timings } from '../deadlines.ts';

/** Who holds a good token, and until when it is good. */
export type Holder = CommandAnswer<'token.verify'>;

const isRefusal = (error: unknown) => error instanceof AppError && error.code === 'unauthenticated';

/** Asks identity who holds tokens; `null`: the token is not good. Throws when there is no answer. */
export function createQuestions(identity: InternalClient<'identity'>) {
  const breaker = circuitBreaker(
    handleWhen((error) => !isRefusal(error)),
    { halfOpenAfter: timings.breakerOpen, breaker: new ConsecutiveBreaker(3) },
  );

  const ask = (token: string, language?: Language): Promise<Holder | null> =>
    breaker
      .execute(() => identity.ask('token.verify', { token, language }))
      .catch((error: unknown) => {
        if (isRefusal(error)) return null;
        throw error;
      });

  return {
    ask,
    /** At most `TOKENS_AT_ONCE`; the answers are at the places of their tokens. */
    askMany: async (tokens: string[]): Promise<(Holder | null)[]> => {
      const { holders } = await breaker.execute(() => identity.ask('token.verify-batch', { tokens }));
      if (holders.length !== tokens.length) throw new Error('identity did not answer about every token');
      return holders;
    },
  };
}
