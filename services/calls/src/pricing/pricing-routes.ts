import { z } from 'zod';
import { confirmation, pathId } from '@tutoring/shared/kit/http/declare/fields';
import { route } from '@tutoring/shared/kit/http/declare/route';
import { serviceNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import * as pricing from './pricing-service.ts';
import { listServices } from './pricing-store.ts';
import { newService, presentService, serviceChange, serviceObject } from './service.ts';

const byId = { params: z.object({ id: pathId() }), notFound: serviceNotFound };

export const pricingRoutes = (parts: Parts) => [
  route('get /api/services', {
    summary: 'List the call services and their prices',
    description:
      'Public. The first step of a call costs `base_cost` and `iterator_cost`, each later one `iterator_cost`; ' +
      'a step lasts `iterator` seconds. The numbers are strings.',
    auth: 'public',
    response: z.array(serviceObject),
    handle: async () => (await listServices(parts.database.manager)).map(presentService),
  }),
  route('post /api/admin/services', {
    summary: 'Add a call service',
    description:
      'For super administrators. `iterator` is 2 to 3600 seconds, costs are 0 or more. A name that is in use is a 422.',
    auth: 'su',
    body: newService,
    rules: ({ fields }) => pricing.nameViolations(parts, fields.name, undefined),
    response: serviceObject,
    handle: async ({ caller, body }) => presentService(await pricing.create(parts, caller, body)),
  }),
  route('put /api/admin/services/{id}', {
    summary: 'Change a call service',
    description:
      'For super administrators. Only the fields in the request change; accepted calls keep their prices. `VIDEO` and ' +
      '`AUDIO` cannot be renamed (409).',
    auth: 'su',
    ...byId,
    body: serviceChange,
    rules: ({ fields, params }) => pricing.nameViolations(parts, fields.name, params?.id),
    response: serviceObject,
    errors: ['conflict'],
    handle: async ({ caller, params, body }) => presentService(await pricing.update(parts, caller, params.id, body)),
  }),
  route('delete /api/admin/services/{id}', {
    summary: 'Delete a call service that no call has used',
    description: 'For super administrators. 409 for `VIDEO`, `AUDIO` and any service that a call has used.',
    auth: 'su',
    ...byId,
    response: confirmation,
    errors: ['conflict'],
    handle: ({ caller, params }) =>
      pricing.remove(parts, caller, params.id).then(() => ({ message: texts.service.deleted })),
  }),
];
