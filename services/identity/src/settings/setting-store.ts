import type { Window } from '@tutoring/shared/database/listing';
import type { Reader, Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { SettingName } from '@tutoring/shared/events/settings';
import type { Setting } from './setting.ts';

const SETTING = 'id, name, value, description, version, created_at, updated_at';

/** Returns the setting only if it was inserted. */
export const seedSetting = (tx: Tx, name: string, value: number, description: string) =>
  row<Setting>(
    tx,
    `insert into setting (name, value, description) values ($1, $2, $3) on conflict (name) do nothing returning ${SETTING}`,
    [name, value, description],
  );

export const allSettings = (reader: Reader) => rows<Setting>(reader, `select ${SETTING} from setting order by id`);
export const findSetting = (reader: Reader, id: number) =>
  row<Setting>(reader, `select ${SETTING} from setting where id = $1`, [id]);
export const lockSetting = (tx: Tx, id: number) =>
  row<Setting>(tx, `select ${SETTING} from setting where id = $1 for update`, [id]);

export const settingValue = async (reader: Reader, name: SettingName): Promise<number> =>
  (await row<{ value: number }>(reader, 'select value from setting where name = $1', [name]))!.value;

export const updateSetting = (tx: Tx, id: number, value: number) =>
  row<Setting>(
    tx,
    `update setting set value = $2, version = version + 1, updated_at = app_now() where id = $1 returning ${SETTING}`,
    [id, value],
  );

const FILTER = `($1::text is null or normalised(name || ' ' || description) like '%' || nullif(normalised($1), '') || '%' or id::text = $1)`;

export const listSettings = (reader: Reader, filter: string | null, { limit, offset, order }: Window) =>
  rows<Setting>(reader, `select ${SETTING} from setting where ${FILTER} order by id ${order} limit $2 offset $3`, [
    filter,
    limit,
    offset,
  ]);

export const countSettings = async (reader: Reader, filter: string | null) =>
  (await row<{ total: number }>(reader, `select count(*) as total from setting where ${FILTER}`, [filter]))!.total;
