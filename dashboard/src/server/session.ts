/* The bearer of the administrator who is signed in, shared by all tabs. */

const KEY = 'tutoring.admin-token';

export const session = {
  token: (): string | undefined => localStorage.getItem(KEY) ?? undefined,
  open: (token: string) => localStorage.setItem(KEY, token),
  close: () => localStorage.removeItem(KEY),
};
