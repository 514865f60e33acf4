import {
  exists,
  insert,
  requiredRow,
  row,
  rows,
  update,
  type Reader,
  type Tx,
} from '@tutoring/shared/kit/database/sql';
import type { Call, CallType } from '../call/call.ts';
import type { NewService, Service, ServiceChange } from './service.ts';

export const listServices = (reader: Reader) =>
  rows<Service>(reader, 'select * from service where not deleted order by id');

/** The service of a call type. It always exists, as it cannot be deleted. */
export const serviceFor = (reader: Reader, type: CallType) =>
  requiredRow<Service>(reader, 'select * from service where name = $1 and not deleted', [type.toUpperCase()]);

/** The service of a call; it may be deleted. */
export const serviceOf = (reader: Reader, { service_id: id }: Pick<Call, 'service_id'>) =>
  requiredRow<Service>(reader, 'select * from service where id = $1', [id]);

export const lockService = (tx: Tx, id: number) =>
  row<Service>(tx, 'select * from service where id = $1 and not deleted for update', [id]);

/** Returns undefined when the name is taken. */
export const insertService = (tx: Tx, service: NewService) =>
  insert<Service>(tx, 'service', service, 'on conflict (upper(name)) where not deleted do nothing returning *');

export const isNameTaken = (reader: Reader, name: string, exceptId: number | null) =>
  exists(reader, 'select 1 from service where upper(name) = upper($1) and not deleted and id is distinct from $2', [
    name,
    exceptId,
  ]);

export const updateService = (tx: Tx, id: number, change: ServiceChange | { deleted: true }) =>
  update<Service>(tx, 'service', { id, returning: '*' }, change);

export const isServiceUsed = (reader: Reader, id: number) =>
  exists(reader, 'select 1 from call where service_id = $1 limit 1', [id]);

/** Every service, deleted ones included, for `events resync`. */
export async function* allServices(reader: Reader): AsyncIterable<Service> {
  yield* await rows<Service>(reader, 'select * from service order by id');
}
