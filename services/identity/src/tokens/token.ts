import { createHash, timingSafeEqual } from 'node:crypto';

/** What is stored of a secret. */
export const secretHash = (secret: string) => createHash('sha256').update(secret).digest();

/** Constant-time comparison of a secret with what is stored. */
export const matches = (secret: string, hash: Buffer) => timingSafeEqual(secretHash(secret), hash);
