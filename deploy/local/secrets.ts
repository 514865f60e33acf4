import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { makeSigningKeys, type SigningKeys } from '../signing-keys.mjs';
import { UserError } from './user-error.ts';

/** Named after the variables they become. */
export type Secrets = SigningKeys & {
  CODE_KEYS: string;
  TOTP_KEYS: string;
  SANDBOX_WEBHOOK_SECRET: string;
  AGORA_APP_ID: string;
  AGORA_APP_CERTIFICATE: string;
  ROOM_NAMESPACE: string;
  CALENDAR_KEYS: string;
  /** What the first administrator was made with; empty until a start with a chosen password has succeeded. */
  ADMIN_PASSWORD: string;
  /** By role name. */
  DATABASE_PASSWORDS: Record<string, string>;
  /** By user of NATS. */
  NATS_PASSWORDS: Record<string, string>;
};

const token = (bytes = 32) => randomBytes(bytes).toString('base64url');
const hex32 = () => randomBytes(16).toString('hex');

/** It is there after a power cut too: a database keeps the password that it was made with. */
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

/** A random secret that is made once and kept in a file only its owner can read. */
export function keptSecret(file: string): string {
  const known = read(file)?.trim();
  if (known) return known;
  const fresh = token();
  writePrivately(file, fresh);
  return fresh;
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

/** Begins with a letter: NATS reads a value that begins with a digit as a number. */
export const natsPasswords = (users: readonly string[]) =>
  Object.fromEntries(users.map((user) => [user, `p${randomBytes(24).toString('hex')}`]));

const textOf = (secrets: Secrets) => `${JSON.stringify(secrets, null, 2)}\n`;

/** An earlier release derived links of calendars from the namespace of rooms: those that people use still open. */
const calendarKeyBefore = ({ ROOM_NAMESPACE }: Partial<Secrets>) =>
  ROOM_NAMESPACE === undefined ? [] : [`rooms:${ROOM_NAMESPACE}`];

/**
 * The secrets of this stack: read from the file, with what is missing there generated and added, but for the password of
 * an administrator that has one `chosen`.
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

/** The first administrator was made with a chosen password: later starts show it, whatever they are given. */
export function keepChosen(file: string, secrets: Secrets, chosen: string | undefined): void {
  if (chosen !== undefined && secrets.ADMIN_PASSWORD === '')
    writePrivately(file, textOf({ ...secrets, ADMIN_PASSWORD: chosen }));
}
