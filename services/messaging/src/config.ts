import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { serviceConfig } from '@tutoring/shared/contract/config';
import { serviceUrl } from '@tutoring/shared/kit/process/config';
import { filesConfig, filesConfigProblems } from '@tutoring/shared/kit/files/config';

/** The nil uuid and the namespaces of RFC 9562: with a public namespace anybody could derive the uuids of rooms. */
const WELL_KNOWN = /^(0{8}-0{4}-0{4}-0{4}-0{12}|6ba7b81[0124]-9dad-11d1-80b4-00c04fd430c8)$/i;

function isServiceAccount(setting: string): boolean {
  try {
    const text = setting.trimStart().startsWith('{') ? setting : readFileSync(setting, 'utf8');
    const account = JSON.parse(text) as Record<string, unknown>;
    return ['project_id', 'client_email', 'private_key'].every((name) => typeof account[name] === 'string');
  } catch {
    return false;
  }
}

export const messagingConfig = serviceConfig
  .extend({
    ...filesConfig.shape,
    IDENTITY_URL: serviceUrl().describe('Where identity answers'),
    WALLET_URL: serviceUrl().describe('Where wallet answers'),
    CALLS_URL: serviceUrl().describe('Where calls answers'),
    ROOM_NAMESPACE: z
      .uuid()
      .describe('Secret uuid out of which room uuids are derived: the same in messaging and calls, for ever'),
    MAILBOX_FILE: z
      .string()
      .optional()
      .describe('File that receives mail, SMS and push as JSON lines when no provider is set; production refuses it'),
    FCM_SERVICE_ACCOUNT: z
      .string()
      .refine(isServiceAccount, 'is neither the JSON of a Google service account nor the path of a file with it')
      .optional()
      .describe('JSON text of the Google service account for push, or the path of its file; required in production'),
  })
  .superRefine((config, context) => {
    const refuse = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
    for (const [name, message] of filesConfigProblems(config)) refuse(name, message);
    if (config.NODE_ENV !== 'production') {
      if (!config.FCM_SERVICE_ACCOUNT && !config.MAILBOX_FILE)
        refuse('MAILBOX_FILE', 'is required without FCM_SERVICE_ACCOUNT');
      return;
    }
    if (!config.FCM_SERVICE_ACCOUNT) refuse('FCM_SERVICE_ACCOUNT', 'is required in production');
    if (config.MAILBOX_FILE) refuse('MAILBOX_FILE', 'is not for production: remove it, push uses FCM_SERVICE_ACCOUNT');
    if (WELL_KNOWN.test(config.ROOM_NAMESPACE)) refuse('ROOM_NAMESPACE', 'must be a secret uuid, not a published one');
  });

export type MessagingConfig = z.infer<typeof messagingConfig>;
