import agora from 'agora-token';
import type { Call } from '../call/call.ts';
import type { CallsConfig } from '../config.ts';

/** Maximum for any balance: in a longer call the app requests a new token. */
export const LONGEST_PAID_SECONDS = 4 * 60 * 60;
const GRACE_SECONDS = 60;

/** How long a token is valid, in whole seconds: the ring, the time that the balance pays, and a minute. */
export const tokenSeconds = (ringSeconds: number, paidSeconds: number) =>
  Math.ceil(Math.max(ringSeconds, 0) + Math.min(Math.max(paidSeconds, 0), LONGEST_PAID_SECONDS) + GRACE_SECONDS);

/** Join tokens of the real-time provider (Agora AccessToken2, publisher), built offline. */
export function createRtc(config: Pick<CallsConfig, 'AGORA_APP_ID' | 'AGORA_APP_CERTIFICATE' | 'RTC_UID'>) {
  const { AGORA_APP_ID: appId, AGORA_APP_CERTIFICATE: certificate, RTC_UID: uid } = config;
  const { RtcTokenBuilder, RtcRole } = agora;
  const build = (channel: string, account: number, seconds: number) =>
    RtcTokenBuilder.buildTokenWithUid(appId, certificate, channel, account, RtcRole.PUBLISHER, seconds, seconds);

  /** At least 1: with 0 the token would never expire. */
  const secondsUntil = (at: string | null) =>
    Math.max(1, at === null ? GRACE_SECONDS : Math.ceil((Date.parse(at) - Date.now()) / 1_000));

  return {
    /** A token for both participants, valid for `seconds`; null when tokens are bound to users. */
    sharedToken: (channel: string, seconds: number) => (uid === '0' ? build(channel, 0, seconds) : null),
    /** A participant's token: the call's shared token, or a personal one with the same expiry. */
    tokenFor: (call: Pick<Call, 'channel' | 'rtc_token' | 'rtc_token_expires_at'>, userId: number) =>
      uid === '0' && call.rtc_token !== null
        ? call.rtc_token
        : build(call.channel, uid === 'user' ? userId : 0, secondsUntil(call.rtc_token_expires_at)),
  };
}

export type Rtc = ReturnType<typeof createRtc>;
