import { catalogue } from './catalogue.ts';

export const deposits = catalogue(
  {
    name: 'Deposit |||| Deposits',
    fields: {
      amount: 'Amount',
      status: 'Status',
      method: 'Method',
      ref: 'Reference',
      details: 'Details',
      user_id: 'Person',
      created_at: 'Created',
    },
  },
  {
    name: 'Dépôt |||| Dépôts',
    fields: {
      amount: 'Montant',
      status: 'État',
      method: 'Moyen',
      ref: 'Référence',
      details: 'Détails',
      user_id: 'Personne',
      created_at: 'Créé',
    },
  },
);
