import type { Database } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { callOver, unknownCall } from '../errors.ts';
import { TOKEN_LIFE_SECONDS, type Rtc } from '../provider/rtc.ts';
import { lockCallOfParticipant, renewToken } from './calls-store.ts';
import { isLive } from './life-cycle.ts';
import { applyLapse } from './transitions.ts';

const HALF_LIFE_US = (TOKEN_LIFE_SECONDS / 2) * 1_000_000;

/** Tokens to join a call with, while it lives. */
export function createJoining({ database, rtc }: { database: Database; rtc: Rtc }) {
  return {
    /** Throws not_found for a call that is not theirs and conflict for one that is over. */
    async token(userId: number, identifier: string) {
      const call = await database.transact(async (tx) => {
        const found = await lockCallOfParticipant(tx, identifier, userId);
        const current = found && (await applyLapse(tx, found));
        if (!current || !isLive(current.state)) return current;
        const isFresh = current.rtc_token !== null && (current.token_left_us ?? 0) > HALF_LIFE_US;
        return isFresh ? current : renewToken(tx, current, rtc.shared(current.channel), TOKEN_LIFE_SECONDS);
      });
      assertThat(call, unknownCall());
      assertThat(isLive(call.state), callOver());
      return { channel: call.channel, token: rtc.of(call, userId), expires_at: call.rtc_token_expires_at ?? '' };
    },
  };
}

export type Joining = ReturnType<typeof createJoining>;
