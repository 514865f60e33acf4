import { createHash, timingSafeEqual } from 'node:crypto';

/** The stored hash of a secret. */
export const secretHash = (secret: string) => createHash('sha256').update(secret).digest();

/** Constant-time comparison of a secret with its stored hash. */
export const matches = (secret: string, hash: Buffer) => timingSafeEqual(secretHash(secret), hash);
