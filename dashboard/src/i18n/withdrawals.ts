import { catalogue } from './catalogue.ts';

export const withdrawals = catalogue(
  {
    name: 'Withdrawal |||| Withdrawals',
    fields: {
      amount: 'Amount',
      status: 'Status',
      method: 'Method',
      account: 'Account',
      ref: 'Reference',
      details: 'Details',
      user_id: 'Person',
      created_at: 'Created',
    },
  },
  {
    name: 'Retrait |||| Retraits',
    fields: {
      amount: 'Montant',
      status: 'État',
      method: 'Moyen',
      account: 'Compte',
      ref: 'Référence',
      details: 'Détails',
      user_id: 'Personne',
      created_at: 'Créé',
    },
  },
);
