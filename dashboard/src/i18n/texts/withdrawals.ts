import { catalogue } from './catalogue.ts';

export const withdrawals = catalogue(
  {
    name: 'Withdrawal |||| Withdrawals',
    one: 'Withdrawal %{id}',
    claimedBy: 'by %{name},',
    fields: {
      id: 'No.',
      amount: 'Amount',
      status: 'Status',
      method: 'Method',
      account: 'Account',
      ref: 'Reference',
      details: 'Details',
      user_id: 'Person',
      claimed_by: 'Claimed by',
      claimed_at: 'Claimed',
      created_at: 'Created',
      updated_at: 'Changed',
      decisions: 'Decide',
    },
    claim: {
      label: 'Claim',
      title: 'Claim the withdrawal of %{amount} by %{name}?',
      meaning: 'You pay it out; everybody sees that you are on it, and the person can no longer cancel it.',
      done: 'The withdrawal is claimed.',
    },
    claimAll: {
      label: 'Claim the selected (%{count})',
      title: 'Claim %{smart_count} withdrawal of %{amount}? |||| Claim %{smart_count} withdrawals, %{amount} together?',
      done: 'Claimed.',
      partly: '%{done} of %{count} are claimed. Somebody else has decided about the others meanwhile.',
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
    claimedBy: 'par %{name},',
    fields: {
      id: 'N°',
      amount: 'Montant',
      status: 'État',
      method: 'Moyen',
      account: 'Compte',
      ref: 'Référence',
      details: 'Détails',
      user_id: 'Personne',
      claimed_by: 'Pris en charge par',
      claimed_at: 'Pris en charge',
      created_at: 'Créé',
      updated_at: 'Modifié',
      decisions: 'Décider',
    },
    claim: {
      label: 'Prendre',
      title: 'Prendre en charge le retrait de %{amount} par %{name}\u00a0?',
      meaning:
        'Vous le versez\u00a0; tout le monde voit que vous vous en occupez, et la personne ne peut plus l’annuler.',
      done: 'Le retrait est pris en charge.',
    },
    claimAll: {
      label: 'Prendre la sélection (%{count})',
      title:
        'Prendre en charge %{smart_count} retrait de %{amount}\u00a0? |||| Prendre en charge %{smart_count} retraits, %{amount} en tout\u00a0?',
      done: 'Pris en charge.',
      partly: '%{done} sur %{count} sont pris en charge. Quelqu’un d’autre a décidé des autres entre-temps.',
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
