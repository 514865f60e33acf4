import { readFileSync } from 'node:fs';

/** The photo of people who have none. */
export const AVATAR = readFileSync(new URL('../../assets/avatar.png', import.meta.url));

/** The link that earlier releases used: it is still in apps and in other services' copies. */
export const OLD_AVATAR = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img" aria-label="No photo">
<rect width="96" height="96" fill="#d9dee6"/><circle cx="48" cy="37" r="17" fill="#8a95a8"/>
<path d="M14 90c2-22 16-31 34-31s32 9 34 31z" fill="#8a95a8"/></svg>
`;
