import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';

function x25519(read: () => KeyObject): KeyObject | undefined {
  try {
    const key = read();
    return key.asymmetricKeyType === 'x25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

const der = (text: string) => Buffer.from(text, 'base64');

/** `kid:private key`: X25519, PKCS #8 as Base64 of DER. */
export const signingKey = z.string().transform((text, context) => {
  const [, kid, encoded] = /^([\w-]+):([\w+/=-]+)$/.exec(text) ?? [];
  const key = encoded && x25519(() => createPrivateKey({ key: der(encoded), format: 'der', type: 'pkcs8' }));
  if (kid && key) return { kid, key };
  // Never the text itself: it would be logged.
  context.addIssue({ code: 'custom', message: 'must be kid:key, an X25519 private key as Base64 of PKCS #8 (DER)' });
  return z.NEVER;
});

/**
 * `process:kid:public key`, separated by commas: X25519, SPKI as Base64 of DER; the process holds the private half. Each
 * may have several.
 */
export const trustedKeys = z.string().transform((text, context) =>
  text.split(',').map((entry, index) => {
    const [, name, kid, encoded] = /^([\w-]+):([\w-]+):([\w+/=-]+)$/.exec(entry.trim()) ?? [];
    const key = encoded && x25519(() => createPublicKey({ key: der(encoded), format: 'der', type: 'spki' }));
    if (name && kid && key) return { name, kid, key };
    const message = `must be process:kid:key, X25519 public keys as Base64 of SPKI (DER): number ${index + 1} is none`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }),
);
