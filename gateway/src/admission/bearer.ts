import { crc32 } from 'node:zlib';

const SCHEME = /^bearer +(\S+)$/i;
const TOKEN = /^\d{1,16}\|([\w-]{40})([0-9a-f]{8})$/;

/** The bearer of an Authorization header; undefined when there is none. */
export function bearerOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : SCHEME.exec(header.trim())?.[1];
}

/** Whether identity could have issued it: `<id>|<40 characters><8 hex crc32 of them>`. Guesses fail here, for free. */
export function isWellFormed(token: string): boolean {
  const [, secret, checksum] = TOKEN.exec(token) ?? [];
  return secret !== undefined && crc32(secret).toString(16).padStart(8, '0') === checksum;
}
