import { upsertNewerSql } from '../kit/database/copies.ts';
import { rows, type Reader, type Tx } from '../kit/database/sql.ts';
import type { EventData } from './events.ts';
import { SETTINGS, type SettingName } from './settings.ts';

const SAVE = upsertNewerSql('setting_copy', ['name'], ['name', 'value', 'version']);

/** Saves settings in the service's copies. */
export const saveSettings = (tx: Tx, settings: EventData<'setting.changed'>[]) =>
  rows(tx, SAVE, [JSON.stringify(settings)]);

/** Reads settings from the service's copies; the default value until identity has published the setting. */
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
