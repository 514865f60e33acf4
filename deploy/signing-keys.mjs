// Generates the X25519 keys with which the processes sign requests to each other, and prints them as variables:
//   node deploy/signing-keys.mjs              the first key, k1, of all five processes
//   node deploy/signing-keys.mjs k2 wallet    the next key of wallet
// <PROCESS>_SIGNING_KEY becomes SIGNING_KEY of that process only; TRUSTED_KEYS are public and the same for all
// processes. Runs on any Node from 20.
import { generateKeyPairSync } from 'node:crypto';
import { fileURLToPath } from 'node:url';

export const PROCESSES = ['gateway', 'identity', 'wallet', 'messaging', 'calls'];

export function makeSigningKeys(kid = 'k1', names = PROCESSES) {
  const made = names.map((name) => {
    const { privateKey, publicKey } = generateKeyPairSync('x25519');
    return {
      signing: [name, `${kid}:${privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url')}`],
      trusted: `${name}:${kid}:${publicKey.export({ format: 'der', type: 'spki' }).toString('base64url')}`,
    };
  });
  return {
    SIGNING_KEYS: Object.fromEntries(made.map(({ signing }) => signing)),
    TRUSTED_KEYS: made.map(({ trusted }) => trusted).join(','),
  };
}

/** The keys as variables of a flat file. */
export function signingVariables({ SIGNING_KEYS, TRUSTED_KEYS }) {
  const own = Object.entries(SIGNING_KEYS).map(([name, key]) => [`${name.toUpperCase()}_SIGNING_KEY`, key]);
  return { ...Object.fromEntries(own), TRUSTED_KEYS };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [kid, ...names] = process.argv.slice(2);
  if (kid !== undefined && !/^[\w-]+$/.test(kid))
    throw new Error(`${kid} is not a key id: use letters, digits, - and _`);
  const stranger = names.find((name) => !PROCESSES.includes(name));
  if (stranger) throw new Error(`${stranger} is not a process: use one of ${PROCESSES.join(', ')}`);
  const variables = signingVariables(makeSigningKeys(kid, names.length > 0 ? names : PROCESSES));
  for (const [name, value] of Object.entries(variables)) console.log(`${name}=${value}`);
}
