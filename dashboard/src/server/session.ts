/* The bearer of the administrator who is signed in, shared by all tabs. */

const KEY = 'tutoring.admin-token';
/** Set when the server has refused the bearer, until the next sign-in. */
const ENDED = 'tutoring.admin-session-ended';

export const session = {
  token: (): string | undefined => localStorage.getItem(KEY) ?? undefined,
  open: (token: string) => {
    localStorage.removeItem(ENDED);
    localStorage.setItem(KEY, token);
  },
  close: () => {
    localStorage.removeItem(ENDED);
    localStorage.removeItem(KEY);
  },
  end: () => {
    localStorage.setItem(ENDED, 'yes');
    localStorage.removeItem(KEY);
  },
  hasEnded: () => localStorage.getItem(ENDED) !== null,
};
