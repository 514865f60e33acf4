import { catalogue } from './catalogue.ts';

export const settings = catalogue(
  {
    name: 'Setting |||| Settings',
    fields: { name: 'Name', value: 'Value', description: 'Meaning', updated_at: 'Changed' },
  },
  {
    name: 'Réglage |||| Réglages',
    fields: { name: 'Nom', value: 'Valeur', description: 'Signification', updated_at: 'Modifié' },
  },
);
