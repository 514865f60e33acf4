import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@tutoring/shared/kit/database/migrate';
import { provision, startPostgres } from '../deploy/local/servers.ts';

export interface DatabaseUrls {
  serviceUrl: string;
  ownerUrl: string;
}

const PASSWORDS = { wallet_owner: 'owner-of-the-bench', wallet_service: 'service-of-the-bench' };

/** Runs `work` with empty databases of the wallet, one for each prefix, on a new durable PostgreSQL. */
export async function withWallets(
  prefixes: string[],
  work: (databases: DatabaseUrls[]) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-wallet-'));
  const postgres = await startPostgres({ dataDir: folder, durable: true, log: () => undefined });
  try {
    const databases: DatabaseUrls[] = [];
    for (const prefix of prefixes) {
      const urls = (await provision(postgres.url, { names: ['wallet'], passwords: PASSWORDS, prefix }))['wallet'];
      if (!urls) throw new Error('no database');
      await migrate(urls.ownerUrl, new URL('../services/wallet/migrations/', import.meta.url));
      databases.push(urls);
    }
    await work(databases);
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
