import { z } from 'zod';
import { serviceConfig, currency } from '@tutoring/shared/contract/config';
import { keyPairs, serviceUrl, integerVariable } from '@tutoring/shared/kit/process/config';
import { filesConfig, filesConfigProblems } from '@tutoring/shared/kit/files/config';
import { email } from '@tutoring/shared/kit/http/declare/fields';

const count = (fallback: number) => integerVariable(1).default(fallback);
const baseUrl = (fallback: string) =>
  z
    .url()
    .default(fallback)
    .transform((url) => url.replace(/\/+$/, ''));
const listOr = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((text) =>
      text
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    );
const list = listOr('');

/** OWASP's recommendation for argon2id; production refuses lower values. */
const ARGON2 = { memoryKib: 19_456, passes: 2 };

const fields = serviceConfig.extend({
  ...filesConfig.shape,
  WALLET_URL: serviceUrl().describe('Where wallet answers'),
  MESSAGING_URL: serviceUrl().describe('Where messaging answers'),
  CALLS_URL: serviceUrl().describe('Where calls answers'),
  CURRENCY: currency(),
  DEFAULT_COUNTRY: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be a two-letter country code such as CI')
    .default('CI')
    .describe('Country of phone numbers without a prefix'),

  CODE_KEYS: keyPairs.describe('`kid:secret` pairs: the first stores the codes that are sent, all check them'),
  TOTP_KEYS: keyPairs
    .optional()
    .describe(
      "`kid:secret` pairs: the first encrypts the shared secrets of administrators' second factors, all decrypt them; by default CODE_KEYS; required in production",
    ),

  ADMIN_EMAIL: email()
    .optional()
    .describe('E-mail of the first super administrator, who is created unless there is one'),
  ADMIN_PASSWORD: z
    .string()
    .min(8)
    .optional()
    .describe('Password of the first super administrator; set together with ADMIN_EMAIL'),

  MAILBOX_FILE: z
    .string()
    .optional()
    .describe('File that receives mail, SMS and push as JSON lines when no provider is set; production refuses it'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must be an smtp:// or smtps:// URL')
    .optional()
    .describe('Mail server; required in production'),
  MAIL_FROM: z.string().default('Tutoring <no-reply@example.com>').describe('Sender of mail; required in production'),
  TWILIO_ACCOUNT_SID: z.string().optional().describe('SMS by Twilio; required in production'),
  TWILIO_AUTH_TOKEN: z.string().optional().describe('SMS by Twilio; required in production'),
  TWILIO_FROM: z.string().optional().describe('Number that SMS come from; required in production'),
  TWILIO_API_URL: baseUrl('https://api.twilio.com').describe("Base URL of Twilio's API"),
  SMS_COUNTRIES: list
    .refine((items) => items.every((item) => /^[A-Z]{2}$/.test(item)), 'must be two-letter country codes such as CI,SN')
    .describe('Countries that SMS are sent to, separated by commas; by default DEFAULT_COUNTRY; never premium numbers'),
  SEND_LIMIT_FACTOR: count(1).describe(
    'Multiplies the budgets of codes by mail and SMS, for benchmarks; must be 1 in production',
  ),
  SMS_PER_NUMBER_PER_DAY: count(10).describe('Maximum of SMS to one number per day'),
  TWILIO_TEST_NUMBERS: list
    .refine((items) => items.every((item) => /^\+\d{6,15}:\d{6}$/.test(item)), 'must be +number:code pairs')
    .transform((items) => new Map(items.map((item) => item.split(':') as [string, string])))
    .describe('`+15005550006:123456,…`: numbers with a fixed code, which get no SMS; production refuses it'),

  GOOGLE_CLIENT_ID: list.describe(
    'Client ids that tokens are issued for (`aud`), separated by commas; other apps of the same project may request them (`azp`); without it, no login with Google',
  ),
  GOOGLE_ISSUER: z.string().default('https://accounts.google.com').describe("Issuer of Google's tokens"),
  GOOGLE_JWKS_URL: z.url().default('https://www.googleapis.com/oauth2/v3/certs').describe("Google's keys"),
  APPLE_CLIENT_ID: list.describe('Ids of the apps, separated by commas; without it, no login with Apple'),
  APPLE_ISSUER: z.string().default('https://appleid.apple.com').describe("Issuer of Apple's tokens"),
  APPLE_JWKS_URL: z.url().default('https://appleid.apple.com/auth/keys').describe("Apple's keys"),
  FACEBOOK_APP_ID: z.string().optional().describe('Without it, no login with Facebook'),
  FACEBOOK_APP_SECRET: z.string().optional().describe('Belongs to FACEBOOK_APP_ID'),
  FACEBOOK_GRAPH_URL: baseUrl('https://graph.facebook.com').describe("Facebook's API"),
  FACEBOOK_ISSUER: listOr('https://www.facebook.com,https://limited.facebook.com,https://facebook.com').describe(
    'Issuers of the signed tokens of Limited Login (iOS without consent to tracking), separated by commas',
  ),
  FACEBOOK_JWKS_URL: z
    .url()
    .default('https://limited.facebook.com/.well-known/oauth/openid/jwks/')
    .describe('Keys of Limited Login'),

  USER_TOKEN_IDLE_DAYS: count(180).describe("A user's token expires after so many days without use"),
  ADMIN_TOKEN_IDLE_HOURS: count(12).describe("An administrator's token expires after so many hours without use"),
  RESET_WITHOUT_TOKEN: z
    .stringbool()
    .default(true)
    .describe('`false`: a reset always needs its reset_token, whatever the setting `reset_needs_token`'),
  ARGON2_MEMORY_KIB: integerVariable(8)
    .default(ARGON2.memoryKib)
    .describe('Memory of a password hash; production refuses less'),
  ARGON2_PASSES: integerVariable(1)
    .default(ARGON2.passes)
    .describe('Passes of a password hash; production refuses fewer'),
});

type Fields = z.infer<typeof fields>;

const TWILIO = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'] as const;

/** Variables that production refuses, each with the reason. */
function unfitForProduction(config: Fields): [keyof Fields, string][] {
  const problems: [keyof Fields, string][] = [];
  if (config.MAILBOX_FILE) problems.push(['MAILBOX_FILE', 'is for local use: set SMTP_URL, MAIL_FROM and TWILIO_*']);
  if (!config.TOTP_KEYS)
    problems.push(['TOTP_KEYS', "is required in production: the keys of administrators' second factors"]);
  if (!config.SMTP_URL) problems.push(['SMTP_URL', 'is required in production: the address of the mail server']);
  if (config.MAIL_FROM.includes('example.com')) problems.push(['MAIL_FROM', 'must be an address of your own']);
  for (const name of TWILIO) if (!config[name]) problems.push([name, 'is required in production: codes go by SMS']);
  if (config.SEND_LIMIT_FACTOR !== 1)
    problems.push(['SEND_LIMIT_FACTOR', 'is for benchmarks: must be 1 in production']);
  if (config.TWILIO_TEST_NUMBERS.size > 0)
    problems.push(['TWILIO_TEST_NUMBERS', 'must not be set in production: anybody could log in with these codes']);
  if (config.ADMIN_PASSWORD && /^(password|admin|change|example)/i.test(config.ADMIN_PASSWORD))
    problems.push(['ADMIN_PASSWORD', 'is an example: set your own password']);
  if (config.ARGON2_MEMORY_KIB < ARGON2.memoryKib)
    problems.push(['ARGON2_MEMORY_KIB', `must be at least ${ARGON2.memoryKib} in production`]);
  if (config.ARGON2_PASSES < ARGON2.passes)
    problems.push(['ARGON2_PASSES', `must be at least ${ARGON2.passes} in production`]);
  return problems;
}

export const identityConfig = fields.superRefine((config, context) => {
  const problems = config.NODE_ENV === 'production' ? unfitForProduction(config) : [];
  problems.push(...filesConfigProblems(config));
  if (config.NODE_ENV !== 'production' && !config.MAILBOX_FILE && !(config.SMTP_URL && config.TWILIO_FROM))
    problems.push(['MAILBOX_FILE', 'is required unless SMTP_URL and TWILIO_* are set: a file for mail and SMS']);
  const twilio = TWILIO.filter((name) => config[name]);
  if (twilio.length > 0 && twilio.length < TWILIO.length && config.NODE_ENV !== 'production')
    problems.push([twilio[0]!, `belongs together with ${TWILIO.join(', ')}: set all or none`]);
  if (!config.FACEBOOK_APP_ID !== !config.FACEBOOK_APP_SECRET)
    problems.push(['FACEBOOK_APP_ID', 'and FACEBOOK_APP_SECRET belong together: set both or neither']);
  if (!config.ADMIN_EMAIL !== !config.ADMIN_PASSWORD)
    problems.push(['ADMIN_EMAIL', 'and ADMIN_PASSWORD belong together: set both or neither']);
  for (const [name, message] of problems) context.addIssue({ code: 'custom', path: [name], message });
});

export type IdentityConfig = z.infer<typeof identityConfig>;
