import { catalogue } from './catalogue.ts';

export const deposits = catalogue(
  {
    name: 'Deposit |||| Deposits',
    title: 'Deposit %{id}',
    fields: {
      id: 'No.',
      amount: 'Amount',
      status: 'Status',
      method: 'Method',
      ref: 'Reference',
      details: 'Details',
      user_id: 'Person',
      created_at: 'Created',
      updated_at: 'Updated',
    },
    pay: {
      label: 'Mark as paid',
      title: 'Credit %{amount} to %{name}?',
      meaning: 'The amount is credited immediately, whatever the payment provider reports.',
      done: 'Deposit credited.',
    },
    refuse: {
      label: 'Refuse',
      title: 'Refuse the deposit of %{amount} by %{name}?',
      meaning: 'Nothing is credited unless the payment provider still reports the payment.',
      done: 'Deposit refused.',
    },
    reverse: {
      label: 'Reverse',
      title: 'Take %{amount} back from %{name}?',
      meaning: 'The credited amount is taken from the balance. This fails if the money has been spent.',
      done: 'Deposit reversed.',
    },
  },
  {
    name: 'Dépôt |||| Dépôts',
    title: 'Dépôt %{id}',
    fields: {
      id: 'N°',
      amount: 'Montant',
      status: 'État',
      method: 'Moyen',
      ref: 'Référence',
      details: 'Détails',
      user_id: 'Personne',
      created_at: 'Créé le',
      updated_at: 'Modifié le',
    },
    pay: {
      label: 'Marquer comme payé',
      title: 'Créditer %{amount} à %{name}\u00a0?',
      meaning: 'Le montant est crédité immédiatement, quoi qu’indique le prestataire de paiement.',
      done: 'Dépôt crédité.',
    },
    refuse: {
      label: 'Refuser',
      title: 'Refuser le dépôt de %{amount} par %{name}\u00a0?',
      meaning: 'Rien n’est crédité, sauf si le prestataire de paiement confirme tout de même le paiement.',
      done: 'Dépôt refusé.',
    },
    reverse: {
      label: 'Annuler le crédit',
      title: 'Reprendre %{amount} à %{name}\u00a0?',
      meaning: 'Le montant crédité est retiré du solde. Impossible si l’argent a été dépensé.',
      done: 'Crédit annulé.',
    },
  },
);
