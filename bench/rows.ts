import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource, EntitySchema, type EntityManager } from 'typeorm';
import { migrate } from '@tutoring/shared/database/migrate';
// Imported for its effect: sets the value parsers of every connection in the process.
import '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import { provision, startPostgres } from '../deploy/local/servers.ts';
import { load, show } from './identity/stand.ts';

const PASSWORDS = { identity_owner: 'o'.repeat(24), identity_service: 's'.repeat(24) };
const DEFAULT_SECONDS = 4;
const TURNS = 4;
const CLIENTS = 8;

type Way = 'sql' | 'typeorm';

interface Setting {
  id: number;
  name: string;
  value: number;
  description: string;
  version: number;
  created_at: string;
  updated_at: string;
}
const COLUMNS = ['id', 'name', 'value', 'description', 'version', 'created_at', 'updated_at'];

const settings = new EntitySchema<Setting>({
  name: 'setting',
  columns: {
    id: { type: 'bigint', primary: true, generated: 'increment' },
    name: { type: 'text', unique: true },
    value: { type: 'int' },
    description: { type: 'text' },
    version: { type: 'bigint' },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
  },
});

const UPDATE = `update setting set value = $2, version = version + 1, updated_at = app_now() where id = $1 returning ${COLUMNS.join(', ')}`;

/** The same queries in SQL and by TypeORM's repositories; `n` spreads writes over the rows. */
const questions = (manager: EntityManager): Record<string, Record<Way, (n: number) => Promise<unknown>>> => ({
  'one by key': {
    sql: () => row<Setting>(manager, `select ${COLUMNS.join(', ')} from setting where id = $1`, [3]),
    typeorm: () => manager.findOneBy(settings, { id: 3 }),
  },
  'all of ten': {
    sql: () => rows<Setting>(manager, `select ${COLUMNS.join(', ')} from setting order by id`),
    typeorm: () => manager.find(settings, { order: { id: 'asc' } }),
  },
  write: {
    sql: (n: number) => row<Setting>(manager, UPDATE, [1 + (n % 10), n % 1_000]),
    typeorm: (n: number) => {
      const changes = { value: n % 1_000, version: () => 'version + 1', updated_at: () => 'app_now()' };
      return manager.update(settings, { id: 1 + (n % 10) }, changes, { returning: COLUMNS });
    },
  },
});

/** `npm run bench -- rows [seconds]`: TypeORM's repositories compared with the same statements as text, in turns. */
export async function run([seconds = String(DEFAULT_SECONDS)]: string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-rows-'));
  const postgres = await startPostgres({ dataDir: folder, durable: true, log: () => undefined });
  try {
    const { identity } = await provision(postgres.url, { names: ['identity'], passwords: PASSWORDS });
    if (!identity) throw new Error('no database');
    await migrate(identity.ownerUrl, new URL('../services/identity/migrations/', import.meta.url));
    const url = identity.serviceUrl;
    const source = await new DataSource({
      type: 'postgres',
      url,
      entities: [settings],
      poolSize: CLIENTS,
    }).initialize();
    // TypeORM would convert timestamps to dates, which lose the microseconds.
    source.driver.prepareHydratedValue = (value: unknown) => value;
    await source.query(
      `insert into setting (name, value, description) select 's' || n, n, 's' from generate_series(1, 10) n`,
    );
    for (const [name, ways] of Object.entries(questions(source.manager))) {
      for (let turn = 0; turn < TURNS; turn += 1)
        for (const [way, ask] of Object.entries(ways)) {
          const before = process.cpuUsage();
          const result = await load(CLIENTS, Number(seconds), ask);
          const { user, system } = process.cpuUsage(before);
          const cpu = (user + system) / (result.perSecond * Number(seconds));
          console.log(`  ${name}, ${way}: ${show(result)}, ${cpu.toFixed(0)} µs of processor time`);
        }
    }
    await source.destroy();
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
