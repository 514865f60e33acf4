import { existsSync } from 'node:fs';
import { z } from 'zod';
import { processConfig } from '@tutoring/shared/contract/config';
import { serviceUrl, integerVariable } from '@tutoring/shared/kit/process/config';
import { originPattern } from './origins.ts';

const rateLimit = (standard: number) => integerVariable(1, 1_000_000_000).default(standard);
/** The proxy does not use TLS. */
const service = () => serviceUrl(['http:']);

export const gatewayConfig = processConfig.extend({
  IDENTITY_URL: service().describe('Where identity answers'),
  WALLET_URL: service().describe('Where wallet answers'),
  MESSAGING_URL: service().describe('Where messaging answers'),
  CALLS_URL: service().describe('Where calls answers'),
  AUTH_RATE_LIMIT: rateLimit(60).describe(
    'Requests per minute and client address to routes of authentication and to others that check a password',
  ),
  API_RATE_LIMIT: rateLimit(600).describe(
    'Requests per minute and person (or address, of anonymous clients) to all other routes',
  ),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'must be a redis:// URL')
    .optional()
    .describe('Redis for rate limits that several gateways share; without it, each gateway counts separately'),
  LOG_REFUSALS: z
    .stringbool()
    .default(false)
    .describe("`1`: logs each of the gateway's own refusals at `info`; `LOG_LEVEL=debug` logs every answer"),
  DASHBOARD_FOLDER: z
    .string()
    .refine((folder) => existsSync(folder), 'does not exist')
    .optional()
    .describe('Folder of the built dashboard, served under `/admin`; default: the one that comes with the gateway'),
  CORS_ORIGINS: z
    .string()
    .default('*')
    .transform((text) => text.split(',').map((origin) => origin.trim()))
    .refine(
      (origins) => origins.every((origin) => origin === '*' || originPattern(origin) !== undefined),
      'must be origins such as https://admin.example.com, https://*.example.com or capacitor://localhost, without a path, or `*`',
    )
    .describe(
      'Allowed origins of browsers and apps, separated by commas: `https://admin.example.com`, `capacitor://localhost`; `https://*.example.com` allows any single name instead of `*`; `*` allows all origins',
    ),
  TRUSTED_PROXY_HOPS: integerVariable(0, 10)
    .default(0)
    .describe('Number of proxies in front that append to X-Forwarded-For'),
  MAX_CONNECTIONS: integerVariable(1)
    .default(60_000)
    .describe(
      'Maximum of open connections, including event streams, and at most 40 % of the files that the process may open. A client network (IPv4 /24, IPv6 /48) gets at most half of the connections that others leave, except for event streams and behind a proxy',
    ),
  KEEP_ALIVE_SECONDS: integerVariable(1, 86_400)
    .default(75)
    .describe('Seconds until an idle connection is closed: more than the idle time-out of a load balancer in front'),
  MAX_IDLE_PER_NETWORK: integerVariable(1)
    .default(64)
    .describe(
      'Connections of a client network (IPv4 /24, IPv6 /48) that may be idle for longer than 10 s; unlimited behind a proxy',
    ),
});

export type GatewayConfig = z.infer<typeof gatewayConfig>;
