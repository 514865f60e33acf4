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
  let ownToken = stored();
  let administrator = ownToken === undefined ? undefined : ownerOf(ownToken);

  function identify(id: number): void {
    administrator = id;
    if (ownToken !== undefined && stored() === ownToken)
      storage.setItem(OWNER, JSON.stringify({ token: ownToken, id }));
  }
  /** Keeps the stored token if another tab has replaced it. */
  function endSession(hasEnded: boolean): void {
    const isOwn = stored() === ownToken;
    ownToken = administrator = undefined;
    if (!isOwn) return;
    if (hasEnded) storage.setItem(ENDED, 'yes');
    else storage.removeItem(ENDED);
    storage.removeItem(OWNER);
    storage.removeItem(KEY);
  }

  return {
    /** This tab's token; undefined if this or another tab has signed out. */
    token: (): string | undefined => (stored() === undefined ? undefined : ownToken),
    open(token: string, id: number): void {
      storage.removeItem(ENDED);
      [ownToken, administrator] = [token, id];
      // Stored before the token, because other tabs look up the owner as soon as they see a new token.
      storage.setItem(OWNER, JSON.stringify({ token, id }));
      storage.setItem(KEY, token);
    },
    /** Records the owner of this tab's token. */
    identify,
    close: () => endSession(false),
    end: () => endSession(true),
    hasEnded: () => storage.getItem(ENDED) !== null,
    /**
     * Switches to a new token of the same administrator. Returns `other` if the stored token is gone or may belong to
     * another administrator: the page must be reloaded.
     */
    follow(): 'same' | 'other' {
      const now = stored();
      if (ownToken === undefined || now === ownToken) return 'same';
      if (now === undefined || administrator === undefined || ownerOf(now) !== administrator) return 'other';
      ownToken = now;
      return 'same';
    },
  };
}
