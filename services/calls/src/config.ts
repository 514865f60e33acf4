import { z } from 'zod';
import { serviceConfig } from '@tutoring/shared/contract/config';
import { keyPairs, serviceUrl } from '@tutoring/shared/kit/process/config';

const EXAMPLE = /0123456789abcdef|change-?me|example|^(.)\1+$/i;

const hex32 = () => z.string().regex(/^[0-9a-f]{32}$/i, 'must be 32 hexadecimal digits');

export const callsConfig = serviceConfig
  .extend({
    IDENTITY_URL: serviceUrl().describe('Where identity answers'),
    WALLET_URL: serviceUrl().describe('Where wallet answers'),
    ROOM_NAMESPACE: z
      .guid()
      .describe('Secret uuid out of which room uuids are derived: the same in messaging and calls, for ever'),
    CALENDAR_KEYS: keyPairs.describe(
      '`kid:secret` pairs: calendar links are made with the first and accepted with all',
    ),
    AGORA_APP_ID: hex32().describe('Provider of calls: the application'),
    AGORA_APP_CERTIFICATE: hex32().describe('Provider of calls: its certificate, which signs tokens'),
    RTC_UID: z
      .enum(['0', 'user'])
      .default('0')
      .describe('`0`: one token that both parties use; `user`: tokens are bound to user ids'),
  })
  .superRefine((config, context) => {
    if (config.NODE_ENV !== 'production') return;
    const problem = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
    for (const name of ['AGORA_APP_ID', 'AGORA_APP_CERTIFICATE', 'ROOM_NAMESPACE'] as const)
      if (EXAMPLE.test(config[name].replaceAll('-', '')))
        problem(name, 'is an example value; production needs its own');
    // A value that failed validation is still a string.
    if (Array.isArray(config.CALENDAR_KEYS) && config.CALENDAR_KEYS.some(({ secret }) => EXAMPLE.test(secret)))
      problem('CALENDAR_KEYS', 'has an example value; production needs its own');
    if (config.AGORA_APP_ID === config.AGORA_APP_CERTIFICATE)
      problem('AGORA_APP_CERTIFICATE', 'is the app id; give the primary certificate of the Agora project');
  });

export type CallsConfig = z.infer<typeof callsConfig>;
