import { createCodes } from './codes/code-service.ts';
import type { Deps } from './config.ts';
import { createCredentials } from './credentials/credential-service.ts';
import { createDelivery } from './delivery/delivery-service.ts';
import { createSocial } from './social/social.ts';
import { createTokens } from './tokens/token-service.ts';
import { createTotp } from './totp/totp-service.ts';
import { createUsers } from './users/user-service.ts';

/** Dependencies shared by the features of this service. */
export async function createParts(deps: Deps) {
  const { config, database, logger, internal } = deps;
  const wallet = internal('wallet', config.WALLET_URL);
  const idle = { user: `${config.USER_TOKEN_IDLE_DAYS} days`, admin: `${config.ADMIN_TOKEN_IDLE_HOURS} hours` };
  const delivery = createDelivery(deps);
  const tokens = createTokens({ ...deps, idle });
  return {
    ...deps,
    country: config.DEFAULT_COUNTRY,
    publicUrl: config.PUBLIC_URL,
    wallet,
    calls: internal('calls', config.CALLS_URL),
    messaging: internal('messaging', config.MESSAGING_URL),
    delivery,
    codes: createCodes({ ...deps, delivery }),
    credentials: await createCredentials(deps),
    social: await createSocial(config, logger),
    tokens,
    users: createUsers({ ...deps, wallet, tokens }),
    totp: createTotp({ database, keys: config.TOTP_KEYS ?? config.CODE_KEYS, logger }),
  };
}

export type Parts = Awaited<ReturnType<typeof createParts>>;
