import { saveNewer } from '../database/copies.ts';
import { rows, type Reader, type Tx } from '../database/sql.ts';
import type { EventData } from '../events/catalogue.ts';
import { SETTINGS, type SettingName } from '../events/settings.ts';

const SAVE = saveNewer('setting_copy', ['name'], ['name', 'value', 'version']);

/** Stores a setting in a service's copies. */
export async function saveSetting(tx: Tx, { name, value, version }: EventData<'setting.changed'>): Promise<void> {
  await rows(tx, SAVE, [name, value, version]);
}

/** The values of these settings: by a service's copies, the first ones until identity's first event. */
export async function readSettings<Name extends SettingName>(
  reader: Reader,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const sql = 'select name, value from setting_copy where name = any($1)';
  const stored = await rows<{ name: Name; value: number }>(reader, sql, [names]);
  const known = new Map(stored.map(({ name, value }) => [name, value]));
  return Object.fromEntries(names.map((name) => [name, known.get(name) ?? SETTINGS[name].value])) as Record<
    Name,
    number
  >;
}
