/**
 * The forms of a password that its hash may be of. The first one, NFC, is hashed now; earlier releases hashed what the
 * keyboard sent, which on some systems is decomposed. At most three, and one for ASCII.
 */
export const formsOf = (password: string): [nfc: string, ...others: string[]] => {
  const nfc = password.normalize('NFC');
  return [nfc, ...new Set([password.normalize('NFD'), password].filter((form) => form !== nfc))];
};

/** The salt in an argon2 hash (`$argon2id$v=19$m=19456,t=2,p=1$salt$hash`). */
const saltOf = (hash: string) => hash.split('$')[4] ?? '';

export const saltBytes = (hash: string) => Buffer.from(saltOf(hash), 'base64');

/**
 * Whether two stored hashes are of one password that was set once: a new password has a new salt, and a hash that
 * replaces one of another form keeps it. Null is no password.
 */
export const isSamePassword = (one: string | null, other: string | null): boolean =>
  one === null || other === null ? one === other : saltOf(one) === saltOf(other);

/** The same in SQL. */
export const isSamePasswordSql = (one: string, other: string) =>
  `split_part(${one}, '$', 5) = split_part(${other}, '$', 5)`;
