import { catalogue } from './catalogue.ts';

export const services = catalogue(
  {
    name: 'Service |||| Services',
    fields: {
      name: 'Name',
      iterator: 'Seconds of a step',
      base_cost: 'Cost to begin',
      iterator_cost: 'Cost of a step',
      updated_at: 'Changed',
    },
  },
  {
    name: 'Service |||| Services',
    fields: {
      name: 'Nom',
      iterator: 'Secondes par pas',
      base_cost: 'Coût de départ',
      iterator_cost: 'Coût d’un pas',
      updated_at: 'Modifié',
    },
  },
);
