/**
 * The Unicode forms of a password that its stored hash may be of. New hashes use the first, NFC; earlier releases
 * hashed the keyboard's input, which some systems decompose. At most three forms, and only one for ASCII.
 */
export const formsOf = (password: string): [nfc: string, ...others: string[]] => {
  const nfc = password.normalize('NFC');
  return [nfc, ...new Set([password.normalize('NFD'), password].filter((form) => form !== nfc))];
};

/** The salt in an argon2 hash (`$argon2id$v=19$m=19456,t=2,p=1$salt$hash`). */
const saltOf = (hash: string) => hash.split('$')[4] ?? '';

export const saltBytes = (hash: string) => Buffer.from(saltOf(hash), 'base64');

/**
 * Whether the password has not been set again between two reads of its hash: a new password gets a new salt, a hash
 * replaced with another Unicode form keeps the salt. Null is no password.
 */
export const isSamePassword = (one: string | null, other: string | null): boolean =>
  one === null || other === null ? one === other : saltOf(one) === saltOf(other);

/** `isSamePassword` in SQL. */
export const isSamePasswordSql = (one: string, other: string) =>
  `split_part(${one}, '$', 5) = split_part(${other}, '$', 5)`;
