import type { AuthProvider, UserIdentity } from 'ra-core';
import { ask, Refusal, type Client } from './server/server.ts';

/** Where the bearer is kept. */
export interface Session {
  token: () => string | undefined;
  /** `id` is the administrator's. */
  open: (token: string, id: number) => void;
  /** Says whose the bearer is. */
  identify: (id: number) => void;
  close: () => void;
  /** Closes it because the server has ended it. */
  end: () => void;
}

export interface Credentials {
  email: string;
  password: string;
  /** Of the second factor, once it was asked for. */
  code?: string;
}

/** The administrator who is signed in. */
export interface Me extends UserIdentity {
  id: number;
  fullName: string;
  email: string;
  level: string;
}

/** What only the level `su` may do; everybody may do all else. */
const ONLY_SU: Record<string, string[] | 'all'> = {
  audit: 'all',
  deposits: ['edit'],
  /** Out of `success`. */
  withdrawals: ['reverse'],
  calls: ['refund'],
  skills: ['create', 'edit', 'delete'],
  plans: ['create', 'edit', 'delete'],
  services: ['create', 'edit', 'delete'],
  settings: ['edit'],
  administrators: ['create', 'edit'],
};

function isAllowed(level: string, resource: string, action: string): boolean {
  const reserved = ONLY_SU[resource] ?? [];
  return level === 'su' || (reserved !== 'all' && !reserved.includes(action));
}

export function createAuthProvider(client: Client, session: Session): AuthProvider {
  let known: Promise<Me> | undefined;

  async function fetchMe(): Promise<Me> {
    const bearer = session.token();
    const { id, name, email, level } = await ask(client.GET('/api/admin/auth/me'));
    if (session.token() === bearer) session.identify(id);
    return { id, fullName: name, email, level };
  }
  /** Asked once for a session; a failure is not kept. */
  async function me(): Promise<Me> {
    if (session.token() === undefined) throw new Refusal('signIn.needed', 401);
    known ??= fetchMe();
    try {
      return await known;
    } catch (error) {
      known = undefined;
      throw error;
    }
  }

  return {
    login: async ({ email, password, code }: Credentials) => {
      const body = { email, password, ...(code !== undefined && code !== '' && { code }) };
      const { token, admin } = await ask(client.POST('/api/admin/auth/login', { body }));
      known = undefined;
      session.open(token, admin.id);
    },
    logout: async () => {
      known = undefined;
      // react-admin comes here, too, when the session has ended.
      if (session.token() === undefined) return;
      // Whatever the server says, this browser is signed out.
      await ask(client.POST('/api/admin/auth/logout')).catch(() => undefined);
      session.close();
    },
    checkAuth: async () => {
      if (session.token() === undefined) throw new Refusal('signIn.needed', 401);
    },
    checkError: async (error: { status?: number }) => {
      if (error.status !== 401) return;
      known = undefined;
      if (session.token() !== undefined) session.end();
      throw new Refusal('signIn.expired', 401);
    },
    // Asked anew: name and e-mail may just have been changed. Should it fail, what one may do is known all the same.
    getIdentity: async () => {
      if (session.token() === undefined) return me();
      const asked = await fetchMe();
      known = Promise.resolve(asked);
      return asked;
    },
    getPermissions: async () => (await me()).level,
    canAccess: async ({ resource, action }) => isAllowed((await me()).level, resource, action),
  };
}
