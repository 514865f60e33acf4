import { catalogue } from './catalogue.ts';

export const payments = catalogue(
  {
    name: 'Payment |||| Payments',
    fields: {
      amount: 'Amount',
      status: 'Status',
      type: 'Type',
      direction: 'Direction',
      ref: 'Reference',
      details: 'Details',
      user_id: 'Person',
      created_at: 'Created',
    },
  },
  {
    name: 'Paiement |||| Paiements',
    fields: {
      amount: 'Montant',
      status: 'État',
      type: 'Type',
      direction: 'Sens',
      ref: 'Référence',
      details: 'Détails',
      user_id: 'Personne',
      created_at: 'Créé',
    },
  },
);
