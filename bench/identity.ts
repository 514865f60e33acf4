import { benchLogin } from './identity/login.ts';
import { openStand } from './identity/stand.ts';

/** `npm run bench -- identity [seconds]`: logins, on durable servers. */
export async function run([seconds = '10']: string[]): Promise<void> {
  const stand = await openStand();
  try {
    await benchLogin(stand, Number(seconds));
  } finally {
    await stand.close();
  }
}
