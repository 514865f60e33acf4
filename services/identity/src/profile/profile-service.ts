import { assertThat } from '@tutoring/shared/kit/errors';
import type { UserCaller } from '@tutoring/shared/kit/identity/auth';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { invalidField, type RuleViolation, type ValidFields } from '@tutoring/shared/kit/http/read/validation';
import { commonPassword } from '../credentials/common-password.ts';
import { accountKey } from '../credentials/credential-service.ts';
import { isSamePassword } from '../credentials/password.ts';
import { found, refuseTaken } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { removePhotos } from '../photos/photo-store.ts';
import { unknownDomains, unknownPlan } from '../registration/registration.ts';
import { dropGrant } from '../reset/reset-store.ts';
import { texts } from '../texts.ts';
import { PHOTO_PATH, storedPhoto, type Login } from '../users/user.ts';
import { lockLogin, loginById, setSkills, updateAccount } from '../users/user-store.ts';
import { createAddressChange } from './address-service.ts';
import { plainColumns, type ProfileInput } from './profile.ts';

export function createProfile(base: Parts) {
  const { database, credentials, delivery, tokens, users, publicUrl, wakeJob } = base;
  const addressChange = createAddressChange(base);
  const { manager } = database;

  /** Throws invalid unless the current password is right. Accounts without a password cannot set one here. */
  async function assertOwner(account: Login, input: ProfileInput, address: string): Promise<void> {
    if (account.password_hash === null) {
      if (input.password !== undefined) throw invalidField('password', texts.noPassword);
      return;
    }
    const right = await credentials.isPasswordOf(account, input.current_password ?? '', address);
    assertThat(right, () => invalidField('current_password', texts.passwordIncorrect));
  }

  /** Locks the account. Throws invalid when its password was checked but has changed since. */
  async function lock(tx: Tx, account: Login, isChecked: boolean): Promise<void> {
    const locked = found(await lockLogin(tx, account.id));
    if (isChecked && !isSamePassword(locked.password_hash, account.password_hash))
      throw invalidField('current_password', texts.passwordIncorrect);
  }

  /** Ends the links of uploaded photos other than `photo`. */
  async function endOldPhoto(tx: Tx, id: number, photo: string): Promise<void> {
    const isUpload = photo.startsWith(PHOTO_PATH);
    if (await removePhotos(tx, id, isUpload ? photo.slice(PHOTO_PATH.length) : undefined)) wakeJob('photos');
  }

  return {
    /** Plan and skills must exist; plus the rules for a new e-mail, phone number or password. */
    async rules(caller: UserCaller, given: ValidFields<ProfileInput>): Promise<RuleViolation[]> {
      const { email, phone_number: phone, password } = given;
      const broken = [...(await unknownPlan(manager, given.plan)), ...(await unknownDomains(manager, given.domains))];
      if (email === undefined && phone === undefined && password === undefined) return broken;
      const account = await loginById(manager, caller.id);
      if (!account) return broken;
      const own = { name: given.name ?? account.name, email, password };
      return [...broken, ...(await addressChange.rules(account, given)), ...(await commonPassword(own, account.email))];
    },

    /**
     * Changes all given fields of the caller's profile, or none when it throws. Equal values are no change. A new
     * password ends every session; a new e-mail or phone number, which needs its codes, ends the other sessions.
     */
    async update(caller: UserCaller, input: ProfileInput, address: string) {
      const account = found(await loginById(manager, caller.id));
      const change = addressChange.requestedChange(account, input);
      const request = change && { account, change, input, address };
      const isChecked = request !== undefined || input.password !== undefined;
      if (isChecked) await assertOwner(account, input, address);
      if (request) await addressChange.assertConfirmed(request);
      const password =
        input.password === undefined
          ? undefined
          : await credentials.hash(input.password, { account: accountKey(account), address });
      const photo = input.photo === undefined ? undefined : storedPhoto(input.photo ?? '', publicUrl);
      await database
        .transact(async (tx) => {
          await lock(tx, account, isChecked);
          const addresses = request && (await addressChange.consumeCodes(tx, request));
          const columns = { ...plainColumns(input, account.platform), ...addresses, photo, password_hash: password };
          const changes = [
            await updateAccount(tx, caller.id, columns),
            input.domains !== undefined && (await setSkills(tx, caller.id, input.domains)),
          ];
          if (photo !== undefined) await endOldPhoto(tx, caller.id, photo);
          if (changes.includes(true)) await users.publishChange(tx, [caller.id]);
          if (change) await addressChange.notifyOwner(tx, account, change);
          if (isChecked) await dropGrant(tx, caller.id);
          if (password !== undefined) {
            // An unproven address may be somebody else's.
            if (account.email_key !== null) await delivery.notify(tx, account, 'passwordChanged');
            await tokens.revokeAll(tx, caller);
          } else if (change) await tokens.revoke(tx, caller, { except: caller.tokenId });
        })
        .catch(refuseTaken);
      return users.show(caller.id);
    },
  };
}

export type Profile = ReturnType<typeof createProfile>;
