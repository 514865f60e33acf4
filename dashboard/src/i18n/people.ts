import { catalogue } from './catalogue.ts';

export const people = catalogue(
  {
    name: 'Person |||| People',
    fields: {
      name: 'Name',
      email: 'E-mail',
      phone_number: 'Phone',
      platform: 'Role',
      status: 'Status',
      verified: 'Verified',
      solde: 'Balance',
      created_at: 'Since',
    },
  },
  {
    name: 'Personne |||| Personnes',
    fields: {
      name: 'Nom',
      email: 'E-mail',
      phone_number: 'Téléphone',
      platform: 'Rôle',
      status: 'État',
      verified: 'Vérifié',
      solde: 'Solde',
      created_at: 'Depuis',
    },
  },
);
