/*
 * The bearer token of the signed-in administrator. All tabs share one storage. Each tab keeps the token that it started
 * with, until it knows which administrator owns the newly stored one.
 */

const KEY = 'tutoring.admin-token';
/** The administrator who owns a token, as `{token, id}`. Valid only for that token. */
const OWNER = 'tutoring.admin-token-owner';
/** Set when the server has refused the token, until the next sign-in. */
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
  /** Keeps the stored token if another tab has replaced it. */
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
    /** This tab's token; undefined if this or another tab has signed out. */
    token: (): string | undefined => (stored() === undefined ? undefined : own),
    open(token: string, id: number): void {
      storage.removeItem(ENDED);
      [own, administrator] = [token, id];
      // Stored before the token, because other tabs look up the owner as soon as they see a new token.
      storage.setItem(OWNER, JSON.stringify({ token, id }));
      storage.setItem(KEY, token);
    },
    /** Records the owner of this tab's token. */
    identify,
    close: () => leave(false),
    end: () => leave(true),
    hasEnded: () => storage.getItem(ENDED) !== null,
    /**
     * Switches to a new token of the same administrator. Returns `other` if the stored token is gone or may belong to
     * another administrator: the page must be reloaded.
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
