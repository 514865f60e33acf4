import { saveNewer } from '@tutoring/shared/database/copies';
import type { Reader, Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { EventData } from '@tutoring/shared/events/catalogue';

/** The value until the first event from identity. */
const SEEDED = { min_deposit: 100, min_withdrawal: 1000 };

const SAVE = saveNewer('setting_copy', ['name'], ['name', 'value', 'version']);

export async function saveSetting(tx: Tx, { name, value, version }: EventData<'setting.changed'>): Promise<void> {
  if (name in SEEDED) await rows(tx, SAVE, [name, value, version]);
}

export async function settingValue(reader: Reader, name: keyof typeof SEEDED): Promise<number> {
  const known = await row<{ value: number }>(reader, 'select value from setting_copy where name = $1', [name]);
  return known?.value ?? SEEDED[name];
}
