import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { text, timestamp } from '@tutoring/shared/kit/http/declare/fields';
import { fill } from '@tutoring/shared/kit/language/localized';
import { texts } from '../texts.ts';

export const sessionView = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    name: z.string().meta({ example: 'Chrome on Windows' }),
    address: z.string().meta({ example: '203.0.113.7' }),
    user_agent: z
      .string()
      .meta({ example: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36' }),
    push: z.boolean().meta({ example: true }),
    current: z.boolean().meta({ example: true }),
    last_used_at: timestamp(),
    created_at: timestamp(),
  })
  .meta({ id: 'Session' });

/** A row of `token` that a login made. */
export interface Session extends Omit<z.infer<typeof sessionView>, 'name'> {
  /** The name given at the login. */
  device_name: string | null;
}

/** Answer of every login. */
export const newBearer = {
  token: z.string().meta({ example: '12|mQ4vJ8sT0bXyZ2aC6dE9fG1hK3nP5rU7wLoIqBtVj1c2d3e4' }),
  token_type: z.literal('Bearer'),
};
export type NewBearer = { [Field in keyof typeof newBearer]: z.output<(typeof newBearer)[Field]> };

/** A token created for a script, without its secret. */
export const apiToken = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    name: z.string().meta({ example: 'Reporting script' }),
    last_used_at: timestamp().nullable(),
    created_at: timestamp(),
  })
  .meta({ id: 'ApiToken' });
export type ApiToken = z.infer<typeof apiToken>;

/** The stored hash of a secret. */
export const secretHash = (secret: string) => createHash('sha256').update(secret).digest();

/** Constant-time comparison of a secret with its stored hash. */
export const matches = (secret: string, hash: Buffer) => timingSafeEqual(secretHash(secret), hash);

/** The app's name for the device. */
export const deviceNameField = () => text(100).optional().meta({ example: 'Awa’s phone' });

/* Names and patterns of user agents; the first match wins. */

/** Phones and tablets are named by their system, whatever the browser. */
const DEVICES = { iPhone: /iPhone/, iPad: /iPad/, Android: /Android/ };

/** Default user agents of the apps' HTTP libraries. */
const APPS = { androidApp: /\bokhttp\//, iosApp: /\b(?:CFNetwork|Alamofire)\// };

/** Most user agents also contain the names of browsers further down. */
const BROWSERS = {
  Edge: /\bEdg\//,
  Opera: /\bOPR\//,
  Firefox: /\bFirefox\//,
  Chrome: /\bChrome\//,
  Safari: /\bVersion\/.*\bSafari\//,
};

const SYSTEMS = { Windows: /Windows/, macOS: /Mac OS X|Macintosh/, ChromeOS: /\bCrOS\b/, Linux: /Linux/ };

const firstMatch = <Name extends string>(forms: Record<Name, RegExp>, userAgent: string) =>
  (Object.keys(forms) as Name[]).find((name) => forms[name].test(userAgent));

/** A readable name of the device: "Android", "Android app", "Chrome on Windows". */
export function deviceName(userAgent: string): string {
  const device = firstMatch(DEVICES, userAgent);
  if (device !== undefined) return device;
  const app = firstMatch(APPS, userAgent);
  if (app !== undefined) return texts[app];
  const browser = firstMatch(BROWSERS, userAgent);
  const system = firstMatch(SYSTEMS, userAgent);
  return browser && system ? fill(texts.browserOn, { browser, system }) : texts.unknownDevice;
}

export const sessionViewOf = ({ id, device_name: name, ...session }: Session): z.input<typeof sessionView> => ({
  id,
  name: name ?? deviceName(session.user_agent),
  ...session,
});
