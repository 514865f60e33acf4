import { catalogue } from './catalogue.ts';

export const withdrawals = catalogue(
  {
    name: 'Withdrawal |||| Withdrawals',
    one: 'Withdrawal %{id}',
    fields: {
      id: 'No.',
      amount: 'Amount',
      status: 'Status',
      method: 'Method',
      account: 'Account',
      ref: 'Reference',
      details: 'Details',
      user_id: 'Person',
      created_at: 'Created',
      updated_at: 'Changed',
      decisions: 'Decide',
    },
    statuses: {
      initiated: 'initiated',
      pending: 'claimed',
      success: 'paid',
      failed: 'failed',
      canceled: 'canceled',
    },
    claim: {
      label: 'Claim',
      title: 'Claim the withdrawal of %{amount} by %{name}?',
      meaning: 'You pay it out; everybody sees that somebody is on it, and the person can no longer cancel it.',
      done: 'The withdrawal is claimed.',
    },
    pay: {
      label: 'Mark as paid',
      title: 'Has %{amount} been paid out to %{name}?',
      done: 'The withdrawal is paid.',
    },
    refuse: {
      label: 'Refuse',
      title: 'Refuse the withdrawal of %{amount} by %{name}?',
      meaning: 'Nothing is paid out: the amount is available to the person again.',
      done: 'The withdrawal is refused.',
    },
    reverse: {
      label: 'Reverse',
      title: 'Give %{amount} back to the balance of %{name}?',
      meaning: 'The payout counts as never made. Only when the bank has returned the money.',
      done: 'The withdrawal is reversed.',
    },
  },
  {
    name: 'Retrait |||| Retraits',
    one: 'Retrait %{id}',
    fields: {
      id: 'N°',
      amount: 'Montant',
      status: 'État',
      method: 'Moyen',
      account: 'Compte',
      ref: 'Référence',
      details: 'Détails',
      user_id: 'Personne',
      created_at: 'Créé',
      updated_at: 'Modifié',
      decisions: 'Décider',
    },
    statuses: {
      initiated: 'initié',
      pending: 'pris en charge',
      success: 'payé',
      failed: 'échoué',
      canceled: 'annulé',
    },
    claim: {
      label: 'Prendre',
      title: 'Prendre en charge le retrait de %{amount} par %{name}\u00a0?',
      meaning:
        'Vous le versez\u00a0; tout le monde voit que quelqu’un s’en occupe, et la personne ne peut plus l’annuler.',
      done: 'Le retrait est pris en charge.',
    },
    pay: {
      label: 'Marquer payé',
      title: '%{amount} ont-ils été versés à %{name}\u00a0?',
      done: 'Le retrait est payé.',
    },
    refuse: {
      label: 'Refuser',
      title: 'Refuser le retrait de %{amount} par %{name}\u00a0?',
      meaning: 'Rien n’est versé\u00a0: le montant est de nouveau disponible pour la personne.',
      done: 'Le retrait est refusé.',
    },
    reverse: {
      label: 'Annuler le versement',
      title: 'Rendre %{amount} au solde de %{name}\u00a0?',
      meaning: 'Le versement est considéré comme jamais fait. Seulement si la banque a rendu l’argent.',
      done: 'Le versement est annulé.',
    },
  },
);
