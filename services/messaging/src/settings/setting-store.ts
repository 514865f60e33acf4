import type { Reader, Tx } from '@tutoring/shared/database/open';
import { rows } from '@tutoring/shared/database/sql';
import type { EventData } from '@tutoring/shared/events/catalogue';

export const listSettings = (reader: Reader) =>
  rows<{ name: string; value: number }>(reader, 'select name, value from setting_copy');

export async function saveSetting(tx: Tx, setting: EventData<'setting.changed'>): Promise<void> {
  await rows(
    tx,
    `insert into setting_copy (name, value, version) values ($1, $2, $3)
     on conflict (name) do update set value = excluded.value, version = excluded.version
     where excluded.version >= setting_copy.version`,
    [setting.name, setting.value, setting.version],
  );
}
