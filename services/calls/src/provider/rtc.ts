import agora from 'agora-token';

/** Within the 24 hours that a token may live; long enough for a lesson of an app that never renews. */
export const TOKEN_LIFE_SECONDS = 4 * 60 * 60;

export interface RtcCredentials {
  appId: string;
  certificate: string;
  /** `shared`: uid 0, one token for both parties. `user`: bound to the user's id. */
  uid: 'shared' | 'user';
}

/** Join tokens of the real-time provider (Agora AccessToken2, publisher), built offline. */
export function createRtc({ appId, certificate, uid }: RtcCredentials) {
  const build = (channel: string, account: number) =>
    agora.RtcTokenBuilder.buildTokenWithUid(
      appId,
      certificate,
      channel,
      account,
      agora.RtcRole.PUBLISHER,
      TOKEN_LIFE_SECONDS,
      TOKEN_LIFE_SECONDS,
    );
  return {
    /** The token that a new call keeps; null when tokens are bound to users and nobody shares one. */
    shared: (channel: string) => (uid === 'shared' ? build(channel, 0) : null),
    /** What a participant joins with: the call's own token, or a personal one. */
    of: (call: { channel: string; rtc_token: string | null }, userId: number) =>
      uid === 'shared' && call.rtc_token !== null ? call.rtc_token : build(call.channel, uid === 'user' ? userId : 0),
  };
}

export type Rtc = ReturnType<typeof createRtc>;
