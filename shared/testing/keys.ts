import { generateKeyPairSync } from 'node:crypto';
import {
  createIdentitySigner,
  macOf,
  pairKeys,
  type Caller,
  type IdentityKeys,
  type IdentitySigner,
  type SignerOptions,
} from '../kit/identity/auth.ts';
import { processConfig } from '../contract/config.ts';
import { parseConfig } from '../kit/process/config.ts';
import { type ProcessName, type ServiceName, SERVICES } from '../contract/names.ts';

/** Generates a key pair, in the formats of SIGNING_KEY and TRUSTED_KEYS after `kid:`. */
export function makeKey() {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  return {
    signing: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
    trusted: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
  };
}

/** Generates the keys of a system. Returns a function that returns the environment variables of a process. */
export function makeKeys(kid = 'test'): (name: ProcessName) => { SIGNING_KEY: string; TRUSTED_KEYS: string } {
  const made = ([...SERVICES, 'gateway'] as const).map((name) => [name, makeKey()] as const);
  const signing = new Map<ProcessName, string>(made.map(([name, key]) => [name, `${kid}:${key.signing}`]));
  const TRUSTED_KEYS = made.map(([name, key]) => `${name}:${kid}:${key.trusted}`).join();
  return (name) => ({ SIGNING_KEY: signing.get(name)!, TRUSTED_KEYS });
}

/** The default keys of processes in tests. */
export const testKeys = makeKeys();

const keysSchema = processConfig.pick({ SIGNING_KEY: true, TRUSTED_KEYS: true });
export const parseKeys = (env: Record<string, string>): IdentityKeys => parseConfig(keysSchema, env);

export const signerOf = (name: ProcessName, keys = testKeys, options: SignerOptions = {}) =>
  createIdentitySigner(name, parseKeys(keys(name)), options);

/** Appends to any `text` (`signer.kid.payload`) the MAC with the key that `by` shares with `to`. */
export function signText(
  text: string,
  { by, to, keys = testKeys }: { by: ProcessName; to: ServiceName; keys?: typeof testKeys },
): string {
  const { key, kid } = pairKeys(parseKeys(keys(by))).find(({ name }) => name === to)!;
  return `${text}.${kid}.${macOf(key, text).toString('base64url')}`;
}

export interface TestSigner {
  sign(caller: Caller): string;
}

/** Signs towards a service as the process that may act for the caller: the gateway, or the calling process itself. */
export function signerTowards(audience: ServiceName): TestSigner {
  const signers = new Map<string, IdentitySigner>();
  return {
    sign: (caller) => {
      const name = caller.kind === 'service' ? caller.name : 'gateway';
      const signer = signers.get(name) ?? signerOf(name as ProcessName);
      signers.set(name, signer);
      return signer.sign(caller, audience);
    },
  };
}
