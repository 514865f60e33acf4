import { catalogue } from './catalogue.ts';

export const support = catalogue(
  {
    name: 'Support |||| Support',
    fields: { last_message: 'Last message', user: 'Person', created_at: 'Time' },
  },
  {
    name: 'Assistance |||| Assistance',
    fields: { last_message: 'Dernier message', user: 'Personne', created_at: 'Heure' },
  },
);
