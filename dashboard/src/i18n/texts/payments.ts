import { catalogue } from './catalogue.ts';

export const payments = catalogue(
  {
    name: 'Payment |||| Payments',
    fields: {
      id: 'No.',
      amount: 'Amount',
      status: 'Status',
      type: 'Type',
      direction: 'Direction',
      ref: 'Reference',
      details: 'Details',
      user_id: 'Person',
      created_at: 'Created',
    },
    types: {
      deposit: 'Deposit',
      withdrawal: 'Withdrawal',
      call: 'Call',
      refund: 'Refund',
      dispute: 'Refund (dispute)',
    },
    directions: {
      in: 'into the balance',
      out: 'out of the balance',
    },
  },
  {
    name: 'Paiement |||| Paiements',
    fields: {
      id: 'N°',
      amount: 'Montant',
      status: 'État',
      type: 'Type',
      direction: 'Sens',
      ref: 'Référence',
      details: 'Détails',
      user_id: 'Personne',
      created_at: 'Créé le',
    },
    types: {
      deposit: 'Dépôt',
      withdrawal: 'Retrait',
      call: 'Appel',
      refund: 'Remboursement',
      dispute: 'Remboursement (litige)',
    },
    directions: {
      in: 'au crédit du solde',
      out: 'au débit du solde',
    },
  },
);
