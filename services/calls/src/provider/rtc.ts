import agora from 'agora-token';

/** The limit for any balance: in a longer call the app asks for a new token. */
export const LONGEST_PAID_SECONDS = 4 * 60 * 60;
const GRACE_SECONDS = 60;

/** How long a token is valid: the ring, the time that the balance pays, and a minute. Whole seconds. */
export const tokenSeconds = (ringSeconds: number, paidSeconds: number) =>
  Math.ceil(Math.max(ringSeconds, 0) + Math.min(Math.max(paidSeconds, 0), LONGEST_PAID_SECONDS) + GRACE_SECONDS);

interface RtcCredentials {
  appId: string;
  certificate: string;
  /** `shared`: uid 0, one token for both parties. `user`: bound to the user's id. */
  uid: 'shared' | 'user';
}

/** Join tokens of the real-time provider (Agora AccessToken2, publisher), built offline. */
export function createRtc({ appId, certificate, uid }: RtcCredentials) {
  const build = (channel: string, account: number, seconds: number) =>
    agora.RtcTokenBuilder.buildTokenWithUid(
      appId,
      certificate,
      channel,
      account,
      agora.RtcRole.PUBLISHER,
      seconds,
      seconds,
    );

  /** At least one second: with 0 the token would never expire. */
  const secondsUntil = (at: string | null) =>
    Math.max(1, at === null ? GRACE_SECONDS : Math.ceil((Date.parse(at) - Date.now()) / 1_000));

  return {
    /** The token that a call stores, valid for `seconds`; null when tokens are bound to users. */
    sharedToken: (channel: string, seconds: number) => (uid === 'shared' ? build(channel, 0, seconds) : null),
    /** A participant's token: the one of the call, or a personal one that expires when that one would. */
    tokenFor: (
      call: { channel: string; rtc_token: string | null; rtc_token_expires_at: string | null },
      userId: number,
    ) =>
      uid === 'shared' && call.rtc_token !== null
        ? call.rtc_token
        : build(call.channel, uid === 'user' ? userId : 0, secondsUntil(call.rtc_token_expires_at)),
  };
}

export type Rtc = ReturnType<typeof createRtc>;
