import type { InternalClient } from '@tutoring/shared/internal/client';

export type RtcTokenOf = (room: { uuid: string; live: boolean }) => Promise<string | null>;

/** Reads the token of a room's live call from calls; null when no call is live or calls does not answer in time. */
export const createRtcTokens =
  (calls: InternalClient<'calls'>): RtcTokenOf =>
  async ({ uuid, live }) => {
    if (!live) return null;
    try {
      return (await calls.ask('room-token.read', { uuid })).rtc_token;
    } catch {
      return null;
    }
  };
