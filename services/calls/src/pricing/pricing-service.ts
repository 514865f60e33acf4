import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import { publish } from '@tutoring/shared/contract/publish';
import { invalidField, sentences, type RuleViolation } from '@tutoring/shared/kit/http/read/validation';
import { conflict, serviceNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import { insertService, isNameTaken, isServiceUsed, lockService, updateService } from './pricing-store.ts';
import { isNeededByCalls, presentService, SEEDED } from './service.ts';
import type { NewService, Service, ServiceChange } from './service.ts';

/** Publishes the change of a service and records it in the audit log. */
async function publishChange(tx: Tx, admin: AdminCaller, verb: string, before: Service | null, after: Service) {
  publish(tx, [{ name: 'service.changed', data: after }]);
  recordAdminAction(tx, admin, {
    action: `service.${verb}`,
    subject: `service:${after.id}`,
    before: before && presentService(before),
    after: after.deleted ? null : presentService(after),
    at: after.updated_at,
  });
}

/* The call services and their prices. A call's prices are fixed at its acceptance: no change affects it later. */

/** Returns a violation when another service has the name. */
export const nameViolations = async (
  { database }: Parts,
  name: string | undefined,
  exceptId: number | undefined,
): Promise<RuleViolation[]> =>
  name !== undefined && (await isNameTaken(database.manager, name, exceptId ?? null))
    ? [[['name'], sentences.taken]]
    : [];

/** Throws invalid when the name is taken. */
export const create = ({ database }: Parts, admin: AdminCaller, input: NewService) =>
  database.transact(async (tx) => {
    const service = await insertService(tx, input);
    assertThat(service, () => invalidField('name', sentences.taken));
    await publishChange(tx, admin, 'created', null, service);
    return service;
  });

/** Throws not_found; invalid when the name is taken; conflict for a new name of a service that calls need. */
export const update = ({ database }: Parts, admin: AdminCaller, id: number, changes: ServiceChange) =>
  database.transact(async (tx) => {
    const before = await lockService(tx, id);
    assertThat(before, serviceNotFound);
    const { name = before.name } = changes;
    assertThat(name === before.name || !isNeededByCalls(before), () => conflict(texts.service.nameNeeded));
    assertThat(!(await isNameTaken(tx, name, id)), () => invalidField('name', sentences.taken));
    const names = Object.keys(changes) as (keyof ServiceChange)[];
    if (names.every((column) => changes[column] === before[column])) return before;
    const after = await updateService(tx, id, changes);
    await publishChange(tx, admin, 'updated', before, after);
    return after;
  });

/** Throws not_found; conflict when calls need the service or have used it. */
export const remove = ({ database }: Parts, admin: AdminCaller, id: number) =>
  database.transact(async (tx) => {
    const before = await lockService(tx, id);
    assertThat(before, serviceNotFound);
    assertThat(!isNeededByCalls(before) && !(await isServiceUsed(tx, id)), () => conflict(texts.service.inUse));
    await publishChange(tx, admin, 'deleted', before, await updateService(tx, id, { deleted: true }));
  });

/** Adds the services that calls need, if missing. */
export const seedServices = ({ database }: Parts) =>
  database.transact(async (tx) => {
    for (const seeded of SEEDED) {
      const service = await insertService(tx, seeded);
      if (service) publish(tx, [{ name: 'service.changed', data: service }]);
    }
  });
