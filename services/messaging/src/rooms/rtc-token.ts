import type { InternalClient } from '@tutoring/shared/internal-client';

const TIMEOUT_MS = 300;

export type RtcTokenOf = (room: { uuid: string; live: boolean }) => Promise<string | null>;

/** The token of a room's live call, read through from calls; null when nothing is live or calls does not answer in time. */
export const createRtcTokens =
  (calls: InternalClient): RtcTokenOf =>
  async ({ uuid, live }) => {
    if (!live) return null;
    try {
      const answer = await calls.get<{ rtc_token: string | null }>(`/internal/rooms/${uuid}/token`, {
        timeoutMs: TIMEOUT_MS,
      });
      return answer.rtc_token;
    } catch {
      return null;
    }
  };
