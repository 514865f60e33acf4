import type { PageWindow } from '@tutoring/shared/kit/database/listing';
import { insert, row, rows, update, value, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { SettingName } from '@tutoring/shared/contract/settings';
import type { Setting } from './setting.ts';

const SETTING = 'id, name, value, description, version, created_at, updated_at';

/** Returns the setting only if it was inserted. */
export const seedSetting = (tx: Tx, name: string, value: number, description: string) =>
  insert<Setting>(tx, 'setting', { name, value, description }, `on conflict (name) do nothing returning ${SETTING}`);

/** For `events resync`. */
export const allSettings = (reader: Reader) => rows<Setting>(reader, `select ${SETTING} from setting order by id`);
export const findSetting = (reader: Reader, id: number) =>
  row<Setting>(reader, `select ${SETTING} from setting where id = $1`, [id]);
export const lockSetting = (tx: Tx, id: number) =>
  row<Setting>(tx, `select ${SETTING} from setting where id = $1 for update`, [id]);

export const settingValue = (reader: Reader, name: SettingName): Promise<number> =>
  value<number>(reader, 'select value from setting where name = $1', [name]);

export const updateSetting = (tx: Tx, id: number, value: number) =>
  update<Setting>(tx, 'setting', { id, returning: SETTING }, { value });

/** The settings that match by name, description or id. Not paged: there are few. */
export const findSettings = (reader: Reader, filter: string | null, order: PageWindow['order']) =>
  rows<Setting>(
    reader,
    `select ${SETTING} from setting
     where $1::text is null or normalised(name || ' ' || description) like '%' || nullif(normalised($1), '') || '%' or id::text = $1
     order by id ${order}`,
    [filter],
  );
