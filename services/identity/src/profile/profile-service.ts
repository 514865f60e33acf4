import { assertThat } from '@tutoring/shared/kit/errors';
import type { UserCaller } from '@tutoring/shared/kit/identity/auth';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { invalidField, type RuleViolation, type ValidFields } from '@tutoring/shared/kit/http/read/validation';
import { commonPassword } from '../credentials/common-password.ts';
import { accountKey } from '../credentials/credential-service.ts';
import * as credentials from '../credentials/credential-service.ts';
import { isSamePassword } from '../credentials/password.ts';
import * as delivery from '../delivery/delivery-service.ts';
import { found, refuseTaken } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { removePhotos } from '../photos/photo-store.ts';
import { unknownDomains, unknownPlan } from '../registration/registration.ts';
import { dropGrant } from '../reset/reset-store.ts';
import { texts } from '../texts.ts';
import * as tokens from '../tokens/token-service.ts';
import * as users from '../users/user-service.ts';
import { PHOTO_PATH, storedPhoto, type Login } from '../users/user.ts';
import { lockLogin, loginById, setSkills, updateAccount } from '../users/user-store.ts';
import * as addressChange from './address-service.ts';
import { plainColumns, type ProfileInput } from './profile.ts';

/** Throws invalid unless the current password is right. Accounts without a password cannot set one here. */
async function assertOwner(parts: Parts, account: Login, input: ProfileInput, address: string): Promise<void> {
  if (account.password_hash === null) {
    if (input.password !== undefined) throw invalidField('password', texts.noPassword);
    return;
  }
  const right = await credentials.isPasswordOf(parts, account, input.current_password ?? '', address);
  assertThat(right, () => invalidField('current_password', texts.passwordIncorrect));
}

/** Locks the account. Throws invalid when its password was checked but has changed since. */
async function lock(tx: Tx, account: Login, isChecked: boolean): Promise<void> {
  const locked = found(await lockLogin(tx, account.id));
  if (isChecked && !isSamePassword(locked.password_hash, account.password_hash))
    throw invalidField('current_password', texts.passwordIncorrect);
}

/** Ends the links of uploaded photos other than `photo`. */
async function endOldPhoto({ wakeJob }: Parts, tx: Tx, id: number, photo: string): Promise<void> {
  const isUpload = photo.startsWith(PHOTO_PATH);
  if (await removePhotos(tx, id, isUpload ? photo.slice(PHOTO_PATH.length) : undefined)) wakeJob('photos');
}

/** Plan and skills must exist; plus the rules for a new e-mail, phone number or password. */
export async function rules(
  parts: Parts,
  caller: UserCaller,
  given: ValidFields<ProfileInput>,
): Promise<RuleViolation[]> {
  const { email, phone_number: phone, password } = given;
  const broken = [
    ...(await unknownPlan(parts.database.manager, given.plan)),
    ...(await unknownDomains(parts.database.manager, given.domains)),
  ];
  if (email === undefined && phone === undefined && password === undefined) return broken;
  const account = await loginById(parts.database.manager, caller.id);
  if (!account) return broken;
  const own = { name: given.name ?? account.name, email, password };
  return [
    ...broken,
    ...(await addressChange.rules(parts, account, given)),
    ...(await commonPassword(own, account.email)),
  ];
}

/**
 * Changes all given fields of the caller's profile, or none when it throws. Equal values are no change. A new
 * password ends every session; a new e-mail or phone number, which needs its codes, ends the other sessions.
 */
export async function update(parts: Parts, caller: UserCaller, input: ProfileInput, address: string) {
  const account = found(await loginById(parts.database.manager, caller.id));
  const change = addressChange.requestedChange(parts, account, input);
  const request = change && { account, change, input, address };
  const isChecked = request !== undefined || input.password !== undefined;
  if (isChecked) await assertOwner(parts, account, input, address);
  if (request) await addressChange.assertConfirmed(parts, request);
  const password =
    input.password === undefined
      ? undefined
      : await credentials.hash(parts, input.password, { account: accountKey(account), address });
  const photo = input.photo === undefined ? undefined : storedPhoto(input.photo ?? '', parts.publicUrl);
  await parts.database
    .transact(async (tx) => {
      await lock(tx, account, isChecked);
      const addresses = request && (await addressChange.consumeCodes(parts, tx, request));
      const columns = { ...plainColumns(input, account.platform), ...addresses, photo, password_hash: password };
      const changes = [
        await updateAccount(tx, caller.id, columns),
        input.domains !== undefined && (await setSkills(tx, caller.id, input.domains)),
      ];
      if (photo !== undefined) await endOldPhoto(parts, tx, caller.id, photo);
      if (changes.includes(true)) await users.publishChange(parts, tx, [caller.id]);
      if (change) await addressChange.notifyOwner(parts, tx, account, change);
      if (isChecked) await dropGrant(tx, caller.id);
      if (password !== undefined) {
        // An unproven address may be somebody else's.
        if (account.email_key !== null) await delivery.notify(parts, tx, account, 'passwordChanged');
        await tokens.revokeAll(parts, tx, caller);
      } else if (change) await tokens.revoke(parts, tx, caller, { except: caller.tokenId });
    })
    .catch(refuseTaken);
  return users.show(parts, caller.id);
}
