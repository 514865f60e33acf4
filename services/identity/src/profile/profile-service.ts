import type { UserCaller } from '@tutoring/shared/auth';
import type { Database, Tx } from '@tutoring/shared/database/open';
import { invalidField } from '@tutoring/shared/http/validation';
import type { Delivery } from '../delivery/delivery.ts';
import { recordNotFound } from '../errors.ts';
import { keyOf, type Credentials } from '../login/credentials.ts';
import type { Hasher } from '../login/hasher.ts';
import { takenAddress } from '../registration/registration-service.ts';
import { dropGrant } from '../reset/reset-store.ts';
import { notices, texts, type Letter } from '../texts.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { People } from '../users/people.ts';
import * as users from '../users/user-store.ts';
import type { AddressChange } from './address-change.ts';
import { plainColumns, type ProfileInput } from './profile.ts';

export function createProfile(deps: {
  database: Database;
  hasher: Hasher;
  credentials: Credentials;
  delivery: Delivery;
  tokens: Tokens;
  people: People;
  confirmed: AddressChange;
}) {
  const { database, hasher, credentials, delivery, tokens, people, confirmed } = deps;

  /** The new password's hash, once the current one has been given. */
  async function newPassword(account: users.Login, input: ProfileInput, address: string): Promise<string | undefined> {
    if (input.password === undefined) return undefined;
    if (account.password_hash === null) throw invalidField('password', texts.noPassword);
    const right = await credentials.checkPassword({
      account: keyOf(account),
      person: account.id,
      address,
      hash: account.password_hash,
      password: input.current_password ?? '',
    });
    if (!right) throw invalidField('current_password', texts.passwordIncorrect);
    return hasher.hash(input.password, { account: keyOf(account), address });
  }

  /** Tells the owner, unless the address may be another's. */
  const tell = async (tx: Tx, account: users.Login, letter: Letter) => {
    if (account.email_key !== null) await delivery.mailNotice(tx, account.email, letter);
  };

  return {
    /** The rules that a new e-mail or phone number is nobody else's. */
    async takenAddresses(caller: UserCaller, given: { email?: string | undefined; phone_number?: string | undefined }) {
      if (given.email === undefined && given.phone_number === undefined) return [];
      const account = await users.loginById(database.manager, caller.id);
      return account ? confirmed.taken(account, given) : [];
    },

    /**
     * Changes the own profile: all of it or, when something is refused, nothing. A new password ends every session; a
     * new e-mail or phone number needs the code that was sent there.
     */
    async update(caller: UserCaller, input: ProfileInput, address: string) {
      const account = await users.loginById(database.manager, caller.id);
      const current = await users.findLivingUser(database.manager, caller.id);
      if (!account || !current) throw recordNotFound();
      const password = await newPassword(account, input, address);
      const addresses = await confirmed.columns(account, current.phone_number, input, address);
      const revocation = await database
        .transact(async (tx) => {
          await users.lockAccounts(tx, [caller.id]);
          await users.updateAccount(tx, caller.id, { ...plainColumns(input, current.platform), ...addresses });
          if (input.domains) await users.setSkills(tx, caller.id, input.domains);
          await people.announce(tx, [caller.id]);
          if (addresses.email_key !== undefined && addresses.email_key !== account.email_key) {
            await dropGrant(tx, caller.id);
            await tell(tx, account, notices.emailChanged);
          }
          if (password === undefined) return undefined;
          await users.setPassword(tx, caller.id, password);
          await dropGrant(tx, caller.id);
          await tell(tx, account, notices.passwordChanged);
          return tokens.revokeAll(tx, caller.id);
        })
        .catch((error: unknown) => {
          throw takenAddress(error);
        });
      tokens.announce(revocation);
      delivery.wake();
      return people.show(caller.id);
    },
  };
}

export type Profile = ReturnType<typeof createProfile>;
