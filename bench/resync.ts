import { resync } from '@tutoring/shared/events/resync';
import { user } from '@tutoring/shared/testing/user';
import { measure, withStand } from './consumers.ts';

/**
 * `npm run bench -- resync [users]`: publishes every user again to the wallet, of which one replica runs in the same
 * process, until it has taken them in. Every write reaches the disk; reading identity's table is not part of it.
 */
export async function run([users = '100000']: string[]): Promise<void> {
  const total = Number(users);
  const snapshots = {
    'user.changed': async function* () {
      for (let id = 1; id <= total; id += 1) yield await Promise.resolve(user(id, 'student'));
    },
  };
  await withStand(true, async (stand) => {
    await measure('resync', total, stand, async ({ database: { manager } }) => {
      await resync({ name: 'user.changed', consumer: 'wallet', snapshots, manager, bus: stand.bus });
      await stand.consumed(total);
    });
  });
}
