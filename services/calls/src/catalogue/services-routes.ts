import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { pathId } from '@tutoring/shared/http/fields';
import { route } from '@tutoring/shared/http/route';
import { unknownService } from '../errors.ts';
import { texts } from '../texts.ts';
import { presentService, serviceFields, serviceObject } from './service.ts';
import type { Catalogue } from './services-service.ts';
import { listServices } from './services-store.ts';

const one = { params: z.object({ id: pathId() }), notFound: unknownService };

/** The catalogue of call services: public to read, the super administrator's to change. */
export function servicesRoutes({ database, catalogue }: { database: Database; catalogue: Catalogue }) {
  return [
    route({
      method: 'get',
      path: '/api/services',
      summary: 'List the call services and their prices',
      auth: 'public',
      response: z.array(serviceObject),
      handle: async () => (await listServices(database.manager)).map(presentService),
    }),
    route({
      method: 'post',
      path: '/api/admin/services',
      summary: 'Add a call service',
      auth: 'su',
      body: z.object(serviceFields),
      response: serviceObject,
      handle: async ({ caller, body }) => presentService(await catalogue.create(caller, body)),
    }),
    route({
      method: 'put',
      path: '/api/admin/services/{id}',
      summary: 'Change a call service',
      description: 'Calls that have been accepted keep their prices.',
      auth: 'su',
      ...one,
      body: z.object(serviceFields).partial(),
      response: serviceObject,
      errors: ['conflict'],
      handle: async ({ caller, params, body }) => presentService(await catalogue.update(caller, params.id, body)),
    }),
    route({
      method: 'delete',
      path: '/api/admin/services/{id}',
      summary: 'Delete a call service that no call has used',
      auth: 'su',
      ...one,
      response: z.strictObject({ message: z.string() }),
      errors: ['conflict'],
      handle: async ({ caller, params }) => {
        await catalogue.remove(caller, params.id);
        return { message: texts.service.deleted };
      },
    }),
  ];
}
