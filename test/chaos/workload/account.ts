import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../seed.ts';
import type { Person } from '../person.ts';
import type { World } from '../world.ts';
import type { Client } from './client.ts';

const CODE_MS = 20_000;
const PASSWORD = 'a long enough secret';

/** Registers a user, verifies with the newest code, and logs in. Returns undefined when no login succeeds. */
export function createRegistration(world: World, client: Client, form: Record<string, unknown>) {
  const { oracle, stack } = world;

  async function verify(email: string, phone: string): Promise<boolean> {
    const deadline = performance.now() + CODE_MS;
    let tried: string | undefined;
    while (performance.now() < deadline) {
      const code = await stack.codeFor(email);
      if (code !== undefined && code !== tried) {
        const body = { email, phone_number: phone, code };
        const answer = await client.ask({
          method: 'POST',
          path: 'api/auth/register/verify',
          body,
          refusals: [404, 422],
        });
        if (answer.kind === 'done') return true;
        tried = code;
      }
      await pause(100);
    }
    return false;
  }

  async function login(email: string, platform: string) {
    const body = { email, password: PASSWORD, gauth_type: 'email', platform };
    return client.get<{ token: string; user: { id: number } }>({
      method: 'POST',
      path: 'api/auth/login',
      body,
      refusals: oracle.registered.get(email) === 'must' ? [] : [404],
    });
  }

  return {
    login,
    register: async (platform: 'student' | 'teacher', name: string): Promise<Person | undefined> => {
      const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`;
      const phone = '+22890112233';
      const body = { ...form, name, email, phone_number: phone, password: PASSWORD, platform, gauth_type: 'email' };
      const teacher = platform === 'teacher' ? { experience: 4, bio: 'Teaches with patience' } : {};
      oracle.registered.set(email, 'may');
      const asked = await client.ask({
        method: 'POST',
        path: 'api/auth/register',
        body: { ...body, ...teacher },
        refusals: [429],
      });
      // After a lost answer the repeated verification may be refused, because the code is used up.
      if (asked.kind === 'done' && (await verify(email, phone))) oracle.registered.set(email, 'must');
      const session = await login(email, platform);
      if (!session) return undefined;
      oracle.registered.set(email, 'must');
      return {
        id: session.user.id,
        platform,
        name,
        email,
        password: PASSWORD,
        token: session.token,
        isPoor: session.user.id % 3 === 0,
      };
    },
  };
}

/** Logs in to a second session and out again. From then on its token must be refused. */
export function createVisitor(world: World, client: Client, login: ReturnType<typeof createRegistration>['login']) {
  return async ({ email, platform }: Person): Promise<void> => {
    const session = await login(email, platform);
    if (!session) return;
    const by = { token: session.token };
    await client.get({ path: 'api/me', by });
    // A repeat after a lost answer may get a 401, because the token is dead already.
    const out = await client.ask({ method: 'POST', path: 'api/auth/logout', by, refusals: [401] });
    if (out.kind !== 'lost') world.oracle.deadTokens.push({ ...by, at: world.record.now() });
  };
}

/** Downloads the user's export. An incomplete export must not be valid JSON. */
export function createExporter(world: World) {
  return async (by: Person, random: Random): Promise<void> => {
    const since = world.record.now();
    const control = new AbortController();
    const leaves = random.chance(0.2);
    const confirmed = [...world.oracle.messages.values()].filter(
      ({ sender, made }) => sender === by.id && made === 'must',
    );
    const text = await fetch(`${world.stack.url}/api/me/export`, {
      headers: { authorization: `Bearer ${by.token}` },
      signal: AbortSignal.any([AbortSignal.timeout(30_000), control.signal]),
    })
      .then(async (response) => {
        if (leaves) control.abort();
        const body = await response.text();
        return response.status === 200 ? body : undefined;
      })
      .catch(() => undefined);
    if (text === undefined) return;
    world.record.answered({ since, outcome: 'done' });
    let whole: unknown;
    try {
      whole = JSON.parse(text);
    } catch {
      world.record.violation('a complete export is not valid JSON', text.slice(-300));
      return;
    }
    if ((whole as { success?: boolean }).success === false) return;
    const missing = confirmed.filter((message) => !text.includes(`"${message.text}"`));
    if (missing.length > 0) world.record.violation('an export lacks messages', missing.slice(0, 5));
  };
}
