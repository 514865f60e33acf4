import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { email } from '@tutoring/shared/http/declare/fields';
import { ISSUER_MS } from '../deadlines.ts';
import { busy } from '../errors.ts';
import type { Provider } from './proof.ts';

const ISSUER = 'https://www.facebook.com';

const debugged = z.object({
  data: z.object({
    app_id: z.string(),
    is_valid: z.boolean(),
    user_id: z.string().min(1),
    expires_at: z.number().optional(),
  }),
});
const profile = z.object({ id: z.string(), email: email().optional() });

type App = { appId: string; secret: string; graphUrl: string };

/** Access tokens of Facebook Login: its token-debug endpoint returns their user and app. */
export function facebookProvider({ appId, secret, graphUrl }: App): Provider {
  async function ask(path: string, parameters: Record<string, string>): Promise<unknown> {
    try {
      const url = `${graphUrl}/${path}?${new URLSearchParams(parameters).toString()}`;
      const response = await fetch(url, { signal: AbortSignal.timeout(ISSUER_MS), redirect: 'error' });
      if (response.status >= 500) throw new Error(`facebook answered ${response.status}`);
      return await response.json();
    } catch (cause) {
      throw busy(5, cause);
    }
  }

  return async (token) => {
    const answer = debugged.safeParse(
      await ask('debug_token', { input_token: token, access_token: `${appId}|${secret}` }),
    );
    if (!answer.success) return undefined;
    const { app_id: app, is_valid: valid, user_id: subject, expires_at: expires = 0 } = answer.data.data;
    const expired = expires !== 0 && expires * 1_000 <= Date.now();
    if (!valid || expired || app !== appId) return undefined;
    const appsecret = createHmac('sha256', secret).update(token).digest('hex');
    const me = profile.safeParse(
      await ask('me', { fields: 'id,email', access_token: token, appsecret_proof: appsecret }),
    );
    if (!me.success || me.data.id !== subject) return undefined;
    return { issuer: ISSUER, subject, email: me.data.email, once: undefined };
  };
}
