/*
 * The bearer of the administrator who is signed in. All tabs of a browser find it in the same place; each goes on with
 * the one that it began with, until it has seen whose another one is.
 */

const KEY = 'tutoring.admin-token';
/** Whose token it is, for a token that names it: `{token, id}`. */
const OWNER = 'tutoring.admin-token-owner';
/** Set when the server has refused the bearer, until the next sign-in. */
const ENDED = 'tutoring.admin-session-ended';

export function createSession(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  const stored = () => storage.getItem(KEY) ?? undefined;
  function ownerOf(token: string): number | undefined {
    try {
      const owner = JSON.parse(storage.getItem(OWNER) ?? '{}') as { token?: string; id?: number };
      return owner.token === token ? owner.id : undefined;
    } catch {
      return undefined;
    }
  }
  let own = stored();
  let administrator = own === undefined ? undefined : ownerOf(own);

  function identify(id: number): void {
    administrator = id;
    if (own !== undefined && stored() === own) storage.setItem(OWNER, JSON.stringify({ token: own, id }));
  }
  /** Another administrator's token, which has come meanwhile, stays. */
  function leave(hasEnded: boolean): void {
    const isOwn = stored() === own;
    own = administrator = undefined;
    if (!isOwn) return;
    if (hasEnded) storage.setItem(ENDED, 'yes');
    else storage.removeItem(ENDED);
    storage.removeItem(OWNER);
    storage.removeItem(KEY);
  }

  return {
    /** This tab's bearer; undefined also when another tab has signed out. */
    token: (): string | undefined => (stored() === undefined ? undefined : own),
    open(token: string, id: number): void {
      storage.removeItem(ENDED);
      [own, administrator] = [token, id];
      // Before the token: another tab that sees the token asks at once whose it is.
      storage.setItem(OWNER, JSON.stringify({ token, id }));
      storage.setItem(KEY, token);
    },
    /** Says whose the bearer is, once the server has told. */
    identify,
    close: () => leave(false),
    end: () => leave(true),
    hasEnded: () => storage.getItem(ENDED) !== null,
    /**
     * Takes over a new token of the same administrator. `other`: this tab shows somebody who is no longer signed in here,
     * and has to be loaded anew.
     */
    follow(): 'same' | 'other' {
      const now = stored();
      if (own === undefined || now === own) return 'same';
      if (now === undefined || administrator === undefined || ownerOf(now) !== administrator) return 'other';
      own = now;
      return 'same';
    },
  };
}

export type Session = ReturnType<typeof createSession>;
