import type { Reader } from '@tutoring/shared/kit/database/open';
import { isUnavailable } from '@tutoring/shared/kit/database/refusals';
import { assertThat } from '@tutoring/shared/kit/errors';
import { isAccepted, isLive, paidSeconds, type LockedCall } from '../call/call.ts';
import { findCallOfParticipant, lockCallOfParticipant, renewToken } from '../call/call-store.ts';
import { applyLapse } from '../call/call-service.ts';
import type { Parts } from '../parts.ts';
import { serviceOf } from '../pricing/pricing-store.ts';
import { callOver, callNotFound } from '../errors.ts';
import * as wallet from '../wallet/wallet.ts';
import { tokenSeconds } from './rtc.ts';
import * as rtc from './rtc.ts';

/** A token is not renewed when the new one would expire within this many seconds of the old one. */
const SAME_END_SECONDS = 5;

/** The student's available balance; undefined when wallet does not answer. */
const available = (parts: Parts, studentId: number) =>
  wallet.available(parts, studentId).catch((error: unknown) => {
    if (isUnavailable(error)) return undefined;
    throw error;
  });

/** How long a new token for a live call is valid, in seconds. */
async function tokenLifetime(reader: Reader, call: LockedCall, money: number): Promise<number> {
  if (isAccepted(call)) {
    const held = (call.reserved_left_us ?? 0) > 0 ? call.reserved : 0;
    return tokenSeconds(0, paidSeconds(call, money + held));
  }
  const service = await serviceOf(reader, call);
  return tokenSeconds(call.ring_left_us / 1_000_000, paidSeconds({ ...service, steps: 0, elapsed_us: 0 }, money));
}

/** Throws not_found when the user is not in the call; conflict when the call is over. */
export async function joinToken(parts: Parts, userId: number, identifier: string) {
  const existingCall = await findCallOfParticipant(parts.database.manager, identifier, userId);
  assertThat(existingCall, callNotFound);
  assertThat(isLive(existingCall.state), callOver);
  const money = await available(parts, existingCall.student_id);
  const call = await parts.database.transact(async (tx) => {
    const found = await lockCallOfParticipant(tx, identifier, userId);
    const current = found && (await applyLapse(tx, found));
    if (!current || !isLive(current.state)) return current;
    // Without wallet's answer only paid steps count, and a token that expires later is kept.
    const lifetime = await tokenLifetime(tx, current, money ?? 0);
    const longer = lifetime - (current.token_left_us ?? 0) / 1_000_000;
    const isCurrent = money === undefined ? longer < SAME_END_SECONDS : Math.abs(longer) < SAME_END_SECONDS;
    return isCurrent ? current : renewToken(tx, current, rtc.sharedToken(parts, current.channel, lifetime), lifetime);
  });
  assertThat(call, callNotFound);
  assertThat(isLive(call.state), callOver);
  return {
    channel: call.channel,
    token: rtc.tokenFor(parts, call, userId),
    expires_at: call.rtc_token_expires_at ?? '',
  };
}
