import { catalogue } from './catalogue.ts';

export const deposits = catalogue(
  {
    name: 'Deposit |||| Deposits',
    one: 'Deposit %{id}',
    fields: {
      id: 'No.',
      amount: 'Amount',
      status: 'Status',
      method: 'Method',
      ref: 'Reference',
      details: 'Details',
      user_id: 'Person',
      created_at: 'Created',
      updated_at: 'Changed',
    },
    pay: {
      label: 'Mark as paid',
      title: 'Credit %{amount} to %{name}?',
      meaning: 'The amount is credited at once, whatever the payment provider says.',
      done: 'The deposit is credited.',
    },
    refuse: {
      label: 'Refuse',
      title: 'Refuse the deposit of %{amount} by %{name}?',
      meaning: 'Nothing is credited, unless the payment provider reports the payment after all.',
      done: 'The deposit is refused.',
    },
    reverse: {
      label: 'Reverse',
      title: 'Take %{amount} back from %{name}?',
      meaning: 'The credited amount leaves the balance again. This is refused when the money is spent.',
      done: 'The deposit is reversed.',
    },
  },
  {
    name: 'Dépôt |||| Dépôts',
    one: 'Dépôt %{id}',
    fields: {
      id: 'N°',
      amount: 'Montant',
      status: 'État',
      method: 'Moyen',
      ref: 'Référence',
      details: 'Détails',
      user_id: 'Personne',
      created_at: 'Créé',
      updated_at: 'Modifié',
    },
    pay: {
      label: 'Marquer payé',
      title: 'Créditer %{amount} à %{name}\u00a0?',
      meaning: 'Le montant est crédité immédiatement, quoi qu’en dise le prestataire de paiement.',
      done: 'Le dépôt est crédité.',
    },
    refuse: {
      label: 'Refuser',
      title: 'Refuser le dépôt de %{amount} par %{name}\u00a0?',
      meaning: 'Rien n’est crédité, sauf si le prestataire annonce tout de même le paiement.',
      done: 'Le dépôt est refusé.',
    },
    reverse: {
      label: 'Annuler le crédit',
      title: 'Reprendre %{amount} à %{name}\u00a0?',
      meaning: 'Le montant crédité quitte de nouveau le solde. Refusé si l’argent est dépensé.',
      done: 'Le crédit est annulé.',
    },
  },
);
