import type { Reader, Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { EventData } from '@tutoring/shared/events/catalogue';

/** The value until the first event from identity. */
const SEEDED = { min_deposit: 100, min_withdrawal: 1000 };

export async function saveSetting(tx: Tx, setting: EventData<'setting.changed'>): Promise<void> {
  if (!(setting.name in SEEDED)) return;
  await rows(
    tx,
    `insert into setting_copy as copy (name, value, version) values ($1, $2, $3)
     on conflict (name) do update set value = excluded.value, version = excluded.version
     where excluded.version >= copy.version`,
    [setting.name, setting.value, setting.version],
  );
}

export async function settingValue(reader: Reader, name: keyof typeof SEEDED): Promise<number> {
  const known = await row<{ value: number }>(reader, 'select value from setting_copy where name = $1', [name]);
  return known?.value ?? SEEDED[name];
}
