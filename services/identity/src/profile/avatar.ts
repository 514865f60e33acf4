import { readFileSync } from 'node:fs';

/** The photo of people who have none. */
export const AVATAR = readFileSync(new URL('../../assets/avatar.png', import.meta.url));
