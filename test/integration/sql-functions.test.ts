import { expect, test } from '@jest/globals';
import { glob, readFile } from 'node:fs/promises';
import { cloneDatabase, sql } from '@tutoring/shared/testing/infra';
import { SERVICES, type ServiceName } from '@tutoring/shared/process-names';

/* A function of the schema that nothing calls any more is dropped by a migration of the release after. */

const ROOT = new URL('../../', import.meta.url);

/** The code of the service and of what all services share: what calls functions, beside triggers and other functions. */
async function sourceOf(service: ServiceName): Promise<string> {
  const texts: string[] = [];
  for await (const path of glob(`{shared,services/${service}}/src/**/*.ts`, { cwd: ROOT }))
    texts.push(await readFile(new URL(path, ROOT), 'utf8'));
  return texts.join('\n');
}

/** What no code calls, and why it stays. */
const KEPT = [
  // Migrations that give a list its tally.
  'keep_tally',
  'fill_tally',
];

const calls = (text: string, name: string) => new RegExp(`\\b${name}\\s*\\(`).test(text);

/** Functions and procedures of the schema, without those of extensions. `used`: by a trigger, index, default or check. */
const FUNCTIONS = `
  select p.proname as name, pg_get_functiondef(p.oid) as text,
    exists (select from pg_depend d where d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid
      and d.classid <> 'pg_proc'::regclass) as used
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = 'public' and p.prokind in ('f', 'p')
    and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`;

test.each(SERVICES)('every function in the database of %s is called', async (service) => {
  const database = await cloneDatabase(service);
  try {
    const functions = (await sql(database.ownerUrl, FUNCTIONS)) as { name: string; text: string; used: boolean }[];
    expect(functions.map(({ name }) => name)).toContain('app_now');
    const source = await sourceOf(service);
    const live = new Set(functions.filter(({ name, used }) => used || KEPT.includes(name) || calls(source, name)));
    // A set's iterator also reaches what is added meanwhile.
    for (const { text } of live) for (const one of functions) if (calls(text, one.name)) live.add(one);
    expect(functions.filter((one) => !live.has(one)).map(({ name }) => name)).toEqual([]);
  } finally {
    await database.drop();
  }
});
