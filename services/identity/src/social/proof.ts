/** A person's identity at a provider. `email` only when the provider has verified it. */
export interface Proof {
  issuer: string;
  subject: string;
  email: string | undefined;
  /** Names a token that is good only once; undefined where apps reuse a token for its lifetime. */
  once: Buffer | undefined;
}

/**
 * Checks a token against its provider. Undefined when the token proves nothing; throws unavailable when the provider
 * cannot be asked.
 */
export type Provider = (token: string, nonce: string | undefined) => Promise<Proof | undefined>;
