import type { AuthProvider, UserIdentity } from 'ra-core';
import { allRights, type Rights } from './data/rights.ts';
import { Refusal, unwrap, type Client } from './server/server.ts';

/** Stores the bearer token. */
export interface Session {
  token: () => string | undefined;
  /** Stores a new token; `id` is the administrator's. */
  open: (token: string, id: number) => void;
  /** Records which administrator owns the stored token. */
  identify: (id: number) => void;
  close: () => void;
  /** Closes a session that the server has ended. */
  end: () => void;
}

export interface Credentials {
  email: string;
  password: string;
  /** Second-factor code, once the server has asked for it. */
  code?: string;
}

/** The administrator who is signed in. */
export interface Me extends UserIdentity {
  id: number;
  fullName: string;
  email: string;
  level: string;
}

export function createAuthProvider(client: Client, session: Session): AuthProvider {
  let cachedMe: Promise<Me> | undefined;

  async function fetchMe(): Promise<Me> {
    const bearer = session.token();
    const { id, name, email, level } = await unwrap(client.GET('/api/admin/auth/me'));
    if (session.token() === bearer) session.identify(id);
    return { id, fullName: name, email, level };
  }
  /** The signed-in administrator, cached for the session. Failures are not cached. */
  async function me(): Promise<Me> {
    if (session.token() === undefined) throw new Refusal('signIn.needed', 401);
    cachedMe ??= fetchMe();
    try {
      return await cachedMe;
    } catch (error) {
      cachedMe = undefined;
      throw error;
    }
  }

  /**
   * The own rights; null without a session, because react-admin asks on every page, also before the sign-in. Throws
   * Refusal. A server of an older release has no rights, and allows what the level allows.
   */
  async function rights(): Promise<Rights | null> {
    if (session.token() === undefined) return null;
    const { level } = await me();
    try {
      return await unwrap(client.GET('/api/admin/auth/rights'));
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 404) throw error;
      return { level, roles: ['all'], rights: allRights() };
    }
  }

  return {
    login: async ({ email, password, code }: Credentials) => {
      const body = { email, password, ...(code !== undefined && code !== '' && { code }) };
      const { token, admin } = await unwrap(client.POST('/api/admin/auth/login', { body }));
      cachedMe = undefined;
      session.open(token, admin.id);
    },
    logout: async () => {
      cachedMe = undefined;
      // react-admin also calls this after a session has ended.
      if (session.token() === undefined) return;
      // This browser is signed out even if the request fails.
      await unwrap(client.POST('/api/admin/auth/logout')).catch(() => undefined);
      session.close();
    },
    checkAuth: async () => {
      if (session.token() === undefined) throw new Refusal('signIn.needed', 401);
    },
    checkError: async (error: { status?: number }) => {
      if (error.status !== 401) return;
      cachedMe = undefined;
      if (session.token() !== undefined) session.end();
      throw new Refusal('signIn.expired', 401);
    },
    // Fetched again: name or e-mail may have changed.
    getIdentity: async () => {
      if (session.token() === undefined) return me();
      const fetchedMe = await fetchMe();
      cachedMe = Promise.resolve(fetchedMe);
      return fetchedMe;
    },
    getPermissions: rights,
  };
}
