/** The chapter of live events and of what they carry. */
export const LIVE_TAG = 'Live events';

/** Chapters of the reference, in reading order, with the paths (below `/api/`) that belong to each. */
const CHAPTERS: [name: string, description: string, paths: RegExp][] = [
  ['Account', 'Register, log in, reset a password, keep a profile', /^(auth|me)(\/|$)/],
  [
    'Teachers and catalogue',
    'Find a teacher; the skills, plans and services there are',
    /^(teachers|skills|plans|services|assets)(\/|$)/,
  ],
  ['Rooms and messages', 'Chat one to one, ask support', /^(rooms|support)(\/|$)/],
  ['Calls', 'Ring, accept, bill, end', /^calls?(\/|$)/],
  ['Money', 'Balance, deposits, withdrawals, payments', /^(wallet|deposits|withdrawals|paymentsall)(\/|$)/],
  [LIVE_TAG, 'What happens, as it happens', /^events$/],
  ['Administration', 'For the operator’s dashboard', /^admin\//],
  ['Providers', 'For payment providers, not for apps', /^(webhooks|checkout)(\/|$)/],
];

export const tags = CHAPTERS.map(([name, description]) => ({ name, description }));

/** The chapter of a path. */
export function tagOf(path: string): string {
  const below = path.replace(/^\/api\//, '');
  return CHAPTERS.find(([, , paths]) => paths.test(below))?.[0] ?? 'Other';
}
