export interface SigningKeys {
  /** Private keys by process. */
  SIGNING_KEYS: Record<string, string>;
  TRUSTED_KEYS: string;
}
export function makeSigningKeys(kid?: string, names?: string[]): SigningKeys;
