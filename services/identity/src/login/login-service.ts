import { assertThat } from '@tutoring/shared/kit/errors';
import type { UserCaller } from '@tutoring/shared/kit/identity/auth';
import type { RequestInfo } from '@tutoring/shared/kit/http/declare/route';
import { emailKey } from '@tutoring/shared/kit/http/declare/email';
import * as codes from '../codes/code-service.ts';
import { accountKey, userKey } from '../credentials/credential-service.ts';
import * as credentials from '../credentials/credential-service.ts';
import { notFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { holderOf } from '../social/social-store.ts';
import { texts } from '../texts.ts';
import type { NewLogin } from '../tokens/token-service.ts';
import * as tokens from '../tokens/token-service.ts';
import { phoneKey } from '../users/phone.ts';
import * as users from '../users/user-service.ts';
import { isSocial, type Login, type User } from '../users/user.ts';
import { loginAndUser, loginByEmail, loginById, loginByPhone } from '../users/user-store.ts';
import type { LoginInput, TokenInput } from './login.ts';

/** An account whose owner has proven their identity; `user` when it has been loaded already. */
interface Proven {
  account: Login;
  user?: User;
  /** The proven password or number: it must be unchanged when the bearer is issued. */
  mustMatch?: Pick<NewLogin, 'passwordHash' | 'phoneKey'>;
}

/** The account, if it is active and of the requested platform. */
const eligible = <Account extends Login>(account: Account | undefined, { platform }: LoginInput) => {
  const isRight = account?.status === 'active' && (platform === undefined || account.platform === platform);
  return isRight ? account : undefined;
};

/** The account, if it was registered by this method and is eligible. */
const registeredBy = <Account extends Login>(method: string, account: Account | undefined, input: LoginInput) =>
  account?.gauth_type === method ? eligible(account, input) : undefined;

/** Logs in to any account with a proven e-mail and a password, however it was registered. */
async function byPassword(parts: Parts, input: LoginInput, address: string): Promise<Proven | undefined> {
  if (input.email === undefined || input.password === undefined) return undefined;
  const key = emailKey(input.email);
  const found = await loginAndUser(parts.database.manager, key);
  const candidate = eligible(found, input);
  const attempted = { account: userKey(key), person: found?.id, address };
  const right = await credentials.checkPassword(parts, attempted, candidate?.password_hash, input.password);
  const mustMatch = { passwordHash: candidate?.password_hash };
  return right && candidate ? { account: candidate, user: candidate, mustMatch } : undefined;
}

/** The password is the code from `login/send-code`; the number is in phone_number or email. */
async function byPhone(parts: Parts, input: LoginInput, address: string): Promise<Proven | undefined> {
  const given = input.phone_number ?? input.email;
  if (given === undefined || input.password === undefined) return undefined;
  const number = phoneKey(given, parts.country);
  const found = await (number === undefined
    ? loginByEmail(parts.database.manager, emailKey(given))
    : loginByPhone(parts.database.manager, number));
  const candidate = registeredBy('phone_number', found, input);
  const subject = number ?? candidate?.phone_key ?? emailKey(given);
  const entered = { purpose: 'login', subject, code: input.password, address } as const;
  const attempted = { account: userKey(subject), person: candidate?.id, address };
  const right = await credentials.attempt(parts, attempted, async (admitted) => {
    const consume = admitted && candidate !== undefined;
    return (await parts.database.transact((tx) => codes.check(parts, tx, entered, consume))) !== undefined;
  });
  return right && candidate ? { account: candidate, mustMatch: { phoneKey: candidate.phone_key } } : undefined;
}

async function bySocial(parts: Parts, method: string, input: LoginInput): Promise<Proven | undefined> {
  const proof = await parts.prove(method, input.gauth_token ?? '', input.nonce);
  if (!proof) return undefined;
  const holder = await holderOf(parts.database.manager, proof);
  const account = registeredBy(
    method,
    holder === undefined ? undefined : await loginById(parts.database.manager, holder),
    input,
  );
  return account && { account };
}

function proveIdentity(parts: Parts, input: LoginInput, address: string): Promise<Proven | undefined> {
  const method = input.gauth_type ?? 'email';
  if (method === 'email') return byPassword(parts, input, address);
  if (method === 'phone_number') return byPhone(parts, input, address);
  return isSocial(method) ? bySocial(parts, method, input) : Promise.resolve(undefined);
}

/** Issues a bearer; undefined when the account may no longer log in or the proof is outdated. */
async function logIn(
  parts: Parts,
  { account, user, mustMatch }: Proven,
  device: Pick<NewLogin, 'deviceKey' | 'deviceName'>,
  client: RequestInfo,
) {
  const login = { userId: account.id, ...device, ...mustMatch, client };
  const bearer = await parts.database.transact((tx) => tokens.issueLogin(parts, tx, login));
  return bearer && { ...bearer, user: await (user ? users.withBalance(parts, user) : users.show(parts, account.id)) };
}

/** Throws the same not_found for every reason. */
export async function login(parts: Parts, input: LoginInput, client: RequestInfo) {
  const proven = await proveIdentity(parts, input, client.clientAddress);
  const entered =
    proven && (await logIn(parts, proven, { deviceKey: input.device_key, deviceName: input.device_name }, client));
  assertThat(entered, () => notFound(texts.invalidCredentials));
  return entered;
}

/** Another bearer for a logged-in caller's device. Throws not_found unless the credentials are the caller's own. */
export async function getToken(parts: Parts, caller: UserCaller, input: TokenInput, client: RequestInfo) {
  const key = emailKey(input.email);
  const account = await loginById(parts.database.manager, caller.id);
  const own = account && emailKey(account.email) === key ? account : undefined;
  const name = own ? accountKey(own) : userKey(key);
  const attempted = { account: name, person: own?.id, address: client.clientAddress };
  const right = await credentials.checkPassword(parts, attempted, own?.password_hash, input.password);
  const deviceKey = input.device_key ?? input.device_token ?? input.fcm_token;
  const proven = right && own && { account: own, mustMatch: { passwordHash: own.password_hash } };
  const entered = proven ? await logIn(parts, proven, { deviceKey }, client) : undefined;
  assertThat(entered, () => notFound(texts.userNotFound));
  return entered;
}
