import { catalogue } from './catalogue.ts';

export const plans = catalogue(
  {
    name: 'Plan |||| Plans',
    fields: { name: 'Name', points: 'Points', image_cost: 'Cost of an image', updated_at: 'Changed' },
  },
  {
    name: 'Formule |||| Formules',
    fields: { name: 'Nom', points: 'Points', image_cost: 'Coût d’une image', updated_at: 'Modifiée' },
  },
);
