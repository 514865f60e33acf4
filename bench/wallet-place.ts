import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@tutoring/shared/database/migrate';
import { provision, startPostgres } from '../deploy/local/servers.ts';

export interface Place {
  serviceUrl: string;
  ownerUrl: string;
}

const PASSWORDS = { wallet_owner: 'owner-of-the-bench', wallet_service: 'service-of-the-bench' };

/** Empty databases of the wallet, one for each prefix, on a durable PostgreSQL of their own. */
export async function withWallets(prefixes: string[], work: (places: Place[]) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-wallet-'));
  const postgres = await startPostgres({ dataDir: folder, durable: true, log: () => undefined });
  try {
    const places: Place[] = [];
    for (const prefix of prefixes) {
      const place = (await provision(postgres.url, { names: ['wallet'], passwords: PASSWORDS, prefix }))['wallet'];
      if (!place) throw new Error('no database');
      await migrate(place.ownerUrl, new URL('../services/wallet/migrations/', import.meta.url));
      places.push(place);
    }
    await work(places);
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
