import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { makeSigningKeys, type SigningKeys } from '../signing-keys.mjs';
import { UserError } from './user-error.ts';

/** Secrets of the stack, by the names of their environment variables. */
export type Secrets = SigningKeys & {
  CODE_KEYS: string;
  TOTP_KEYS: string;
  SANDBOX_WEBHOOK_SECRET: string;
  AGORA_APP_ID: string;
  AGORA_APP_CERTIFICATE: string;
  ROOM_NAMESPACE: string;
  CALENDAR_KEYS: string;
  /** Password of the first administrator; empty until a start with a chosen password has succeeded. */
  ADMIN_PASSWORD: string;
  /** By role name. */
  DATABASE_PASSWORDS: Record<string, string>;
  /** By NATS user. */
  NATS_PASSWORDS: Record<string, string>;
};

const token = (bytes = 32) => randomBytes(bytes).toString('base64url');
const hex32 = () => randomBytes(16).toString('hex');

/** Writes a file that only its owner can read, and flushes it: databases keep the passwords even after a power cut. */
export function writePrivately(file: string, text: string): void {
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  renameSync(draft, file);
}

function read(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const text = readFileSync(file, 'utf8');
    chmodSync(file, 0o600);
    return text;
  } catch {
    throw new UserError(`${file} belongs to another user: start as that user, or choose another folder with DATA_DIR.`);
  }
}

/** Reads a secret from a file; creates a random one, readable only by its owner, if there is none. */
export function loadOrCreateSecret(file: string): string {
  const known = read(file)?.trim();
  if (known) return known;
  const secret = token();
  writePrivately(file, secret);
  return secret;
}

function parse(file: string): Partial<Secrets> {
  const text = read(file);
  if (text === undefined) return {};
  try {
    return JSON.parse(text) as Partial<Secrets>;
  } catch {
    throw new UserError(
      `${file} is not JSON. Repair it; removing it makes new secrets, with which old tokens and webhooks fail.`,
    );
  }
}

/** Random passwords that begin with a letter: NATS reads a value that begins with a digit as a number. */
export const natsPasswords = (users: readonly string[]) =>
  Object.fromEntries(users.map((user) => [user, `p${randomBytes(24).toString('hex')}`]));

const textOf = (secrets: Secrets) => `${JSON.stringify(secrets, null, 2)}\n`;

/** Keeps links of calendars valid that an earlier release derived from the namespace of rooms. */
const calendarKeyBefore = ({ ROOM_NAMESPACE }: Partial<Secrets>) =>
  ROOM_NAMESPACE === undefined ? [] : [`rooms:${ROOM_NAMESPACE}`];

/**
 * The secrets of this stack, read from the file. Generates missing ones and adds them to the file, except for the
 * administrator's password if one is `chosen`.
 */
export function loadSecrets(
  file: string,
  roles: readonly string[],
  users: readonly string[],
  chosen?: string,
): Secrets {
  const known = parse(file);
  const generated = {
    ...makeSigningKeys(),
    CODE_KEYS: `k1:${token()}`,
    TOTP_KEYS: `k1:${token()}`,
    SANDBOX_WEBHOOK_SECRET: token(),
    AGORA_APP_ID: hex32(),
    AGORA_APP_CERTIFICATE: hex32(),
    ROOM_NAMESPACE: randomUUID(),
    CALENDAR_KEYS: [`k1:${token()}`, ...calendarKeyBefore(known)].join(','),
  };
  const passwords = Object.fromEntries(roles.map((role) => [role, token(24)]));
  const secrets = {
    ...generated,
    ...known,
    ADMIN_PASSWORD: known.ADMIN_PASSWORD || (chosen === undefined ? `${token(12)}-7aA` : ''),
    DATABASE_PASSWORDS: { ...passwords, ...known.DATABASE_PASSWORDS },
    NATS_PASSWORDS: { ...natsPasswords(users), ...known.NATS_PASSWORDS },
  };
  if (JSON.stringify(known) !== JSON.stringify(secrets)) writePrivately(file, textOf(secrets));
  return secrets;
}

/** Stores the chosen password with which the first administrator was created, so that later starts show it. */
export function storeChosenPassword(file: string, secrets: Secrets, chosen: string | undefined): void {
  if (chosen !== undefined && secrets.ADMIN_PASSWORD === '')
    writePrivately(file, textOf({ ...secrets, ADMIN_PASSWORD: chosen }));
}
