import { saveNewer } from '@tutoring/shared/database/copies';
import type { Reader, Tx } from '@tutoring/shared/database/open';
import { rows } from '@tutoring/shared/database/sql';
import type { EventData } from '@tutoring/shared/events/catalogue';

export const listSettings = (reader: Reader) =>
  rows<{ name: string; value: number }>(reader, 'select name, value from setting_copy');

const SAVE = saveNewer('setting_copy', ['name'], ['name', 'value', 'version']);

export async function saveSetting(tx: Tx, { name, value, version }: EventData<'setting.changed'>): Promise<void> {
  await rows(tx, SAVE, [name, value, version]);
}
