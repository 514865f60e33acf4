import { z } from 'zod';
import { pickFields, integer, text, times } from '@tutoring/shared/kit/http/declare/fields';
import type { EventData } from '@tutoring/shared/contract/events';

/** A call service and its prices. The service of a call type has the type's name in capitals. */
export type Service = EventData<'service.changed'>;

/** Limits each cost so that the first step (base and iterator cost) stays within the largest single amount. */
const MAX_COST = 500_000_000;

export const newService = z.object({
  name: text(60).meta({ example: 'VIDEO' }),
  iterator: integer({ min: 2, max: 3600 }).meta({ example: 60 }),
  base_cost: integer({ min: 0, max: MAX_COST }).meta({ example: 100 }),
  iterator_cost: integer({ min: 0, max: MAX_COST }).meta({ example: 50 }),
});
export type NewService = z.output<typeof newService>;
export const serviceChange = newService.partial();
export type ServiceChange = z.output<typeof serviceChange>;

export const serviceObject = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    name: z.string().meta({ example: 'VIDEO' }),
    iterator: z.string().meta({ example: '60' }),
    base_cost: z.string().meta({ example: '100' }),
    iterator_cost: z.string().meta({ example: '50' }),
    ...times,
  })
  .meta({ id: 'Service' });

/** A service in answers to apps: with numbers as strings. */
export const presentService = (service: Service): z.infer<typeof serviceObject> =>
  pickFields(serviceObject, {
    ...service,
    iterator: String(service.iterator),
    base_cost: String(service.base_cost),
    iterator_cost: String(service.iterator_cost),
  });

/** The services of a new installation. Calls need both, so they cannot be renamed or deleted. */
export const SEEDED = [
  { name: 'VIDEO', iterator: 60, base_cost: 100, iterator_cost: 50 },
  { name: 'AUDIO', iterator: 60, base_cost: 50, iterator_cost: 25 },
];

export const isNeededByCalls = (service: Pick<Service, 'name'>) => SEEDED.some(({ name }) => name === service.name);
