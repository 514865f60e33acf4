import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const FORM = /^(\d{1,15})\|([A-Za-z0-9]{40})([0-9a-f]{8})$/;

const checksum = (secret: string) => crc32(secret).toString(16).padStart(8, '0');
const digest = (secret: string) => createHash('sha256').update(secret).digest();

/** A fresh secret: 40 random characters and their crc32, so that a scanner of leaks can tell one. */
export function newSecret(): string {
  const random = Array.from({ length: 40 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return random + checksum(random);
}

/** What is stored of a secret. */
export const secretHash = digest;

/** `<id>|<secret>`: what the client gets, once. */
export const bearer = (id: number, secret: string) => `${id}|${secret}`;

/** The parts of a bearer; undefined when it cannot be one of ours, which costs no query. */
export function parseBearer(text: string): { id: number; secret: string } | undefined {
  const [, id, random, sum] = FORM.exec(text) ?? [];
  if (!id || !random || sum !== checksum(random)) return undefined;
  return { id: Number(id), secret: random + sum };
}

/** Constant-time comparison of a secret with what is stored. */
export const matches = (secret: string, hash: Buffer) => timingSafeEqual(digest(secret), hash);
