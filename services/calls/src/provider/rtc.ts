import agora from 'agora-token';
import type { Call } from '../call/call.ts';
import type { CallsConfig } from '../config.ts';

/** Maximum for any balance: in a longer call the app requests a new token. */
export const LONGEST_PAID_SECONDS = 4 * 60 * 60;
const GRACE_SECONDS = 60;

/** How long a token is valid, in whole seconds: the ring, the time that the balance pays, and a minute. */
export const tokenSeconds = (ringSeconds: number, paidSeconds: number) =>
  Math.ceil(Math.max(ringSeconds, 0) + Math.min(Math.max(paidSeconds, 0), LONGEST_PAID_SECONDS) + GRACE_SECONDS);

type RtcConfig = Pick<CallsConfig, 'AGORA_APP_ID' | 'AGORA_APP_CERTIFICATE' | 'RTC_UID'>;

/** Builds a join token of the real-time provider (Agora AccessToken2, publisher), offline. */
function build(config: RtcConfig, channel: string, account: number, seconds: number): string {
  const { AGORA_APP_ID: appId, AGORA_APP_CERTIFICATE: certificate } = config;
  const { RtcTokenBuilder, RtcRole } = agora;
  return RtcTokenBuilder.buildTokenWithUid(appId, certificate, channel, account, RtcRole.PUBLISHER, seconds, seconds);
}

/** At least 1: with 0 the token would never expire. */
const secondsUntil = (at: string | null) =>
  Math.max(1, at === null ? GRACE_SECONDS : Math.ceil((Date.parse(at) - Date.now()) / 1_000));

/** A token for both participants, valid for `seconds`; null when tokens are bound to users. */
export const sharedToken = ({ config }: { config: RtcConfig }, channel: string, seconds: number) =>
  config.RTC_UID === '0' ? build(config, channel, 0, seconds) : null;

/** A participant's token: the call's shared token, or a personal one with the same expiry. */
export function tokenFor(
  { config }: { config: RtcConfig },
  call: Pick<Call, 'channel' | 'rtc_token' | 'rtc_token_expires_at'>,
  userId: number,
): string {
  const { RTC_UID: uid } = config;
  if (uid === '0' && call.rtc_token !== null) return call.rtc_token;
  return build(config, call.channel, uid === 'user' ? userId : 0, secondsUntil(call.rtc_token_expires_at));
}
