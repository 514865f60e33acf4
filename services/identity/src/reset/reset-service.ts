import { assertThat } from '@tutoring/shared/kit/errors';
import { newSecret } from '@tutoring/shared/kit/identity/bearer';
import type { RequestInfo } from '@tutoring/shared/kit/http/declare/route';
import { clientOf } from '@tutoring/shared/kit/process/client-network';
import { emailKey } from '@tutoring/shared/kit/http/declare/email';
import * as codes from '../codes/code-service.ts';
import { assertUncommon } from '../credentials/common-password.ts';
import { userKey } from '../credentials/credential-service.ts';
import * as credentials from '../credentials/credential-service.ts';
import { clearFailures } from '../credentials/lockout-store.ts';
import * as delivery from '../delivery/delivery-service.ts';
import { notFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { settingValue } from '../settings/setting-store.ts';
import { texts } from '../texts.ts';
import * as tokens from '../tokens/token-service.ts';
import { secretHash } from '../tokens/token.ts';
import { lockAccounts, updateAccount } from '../users/user-store.ts';
import { dropGrant, grantReset, lockGrant, type Grant } from './reset-store.ts';

/**
 * Whether the grant allows the reset: with its token, or without a token for the client that entered the code, unless
 * `needsToken`. Clients are compared by IPv6 /64, because privacy addresses change within it.
 */
function allows(grant: Grant, tokenHash: Buffer | undefined, client: RequestInfo, needsToken: boolean): boolean {
  if (tokenHash) return tokenHash.equals(grant.token_hash);
  const isSameClient =
    clientOf(client.clientAddress) === clientOf(grant.client_address) && client.userAgent === grant.user_agent;
  return !needsToken && grant.is_fresh && isSameClient;
}

/** Exchanges a right code for one reset within ten minutes. Throws not_found otherwise. */
export async function verifyCode(
  parts: Parts,
  input: { email?: string | undefined; code?: string | undefined },
  client: RequestInfo,
) {
  if (input.email === undefined || input.code === undefined) throw notFound(texts.codeInvalid);
  const subject = emailKey(input.email);
  const entered = { purpose: 'reset', subject, code: input.code, address: client.clientAddress } as const;
  const secret = newSecret();
  const granted = await parts.database.transact(async (tx) => {
    const checked = await codes.check(parts, tx, entered, true);
    // Returns instead of throwing: a rollback would undo the count of the wrong try.
    if (!checked) return false;
    return grantReset(tx, Number(checked.reference), subject, secretHash(secret), client);
  });
  assertThat(granted, () => notFound(texts.codeInvalid));
  return { message: texts.codeAccepted, reset_token: secret };
}

/**
 * Throws not_found without a valid grant, and invalid for a password that contains the account's name; the grant
 * stays valid then. Ends every session and notifies the owner.
 */
export async function reset(
  parts: Parts,
  input: { email: string; password: string; reset_token?: string | undefined },
  client: RequestInfo,
) {
  const key = emailKey(input.email);
  const password = await credentials.hash(parts, input.password, {
    account: userKey(key),
    address: client.clientAddress,
  });
  const tokenHash = input.reset_token === undefined ? undefined : secretHash(input.reset_token);
  await parts.database.transact(async (tx) => {
    const needsToken = !parts.config.RESET_WITHOUT_TOKEN || (await settingValue(tx, 'reset_needs_token')) === 1;
    const account = await lockGrant(tx, key);
    assertThat(account && allows(account, tokenHash, client, needsToken), () => notFound(texts.resetFailed));
    // Only with a valid grant: the result reveals part of the name.
    await assertUncommon(input.password, account.name);
    await lockAccounts(tx, [account.id]);
    await dropGrant(tx, account.id);
    await updateAccount(tx, account.id, { password_hash: password });
    await clearFailures(tx, [userKey(key)]);
    await delivery.notify(parts, tx, account, 'passwordChanged', account.language);
    await tokens.revokeAll(parts, tx, { kind: 'user', id: account.id });
  });
  return { message: texts.passwordReset };
}
