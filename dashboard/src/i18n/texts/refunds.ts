import { catalogue } from './catalogue.ts';

export const refunds = catalogue(
  {
    name: 'Refund |||| Refunds',
    title: 'Refund %{id}',
    ofDeposit: 'Refunds of this deposit',
    fields: {
      id: 'No.',
      amount: 'Amount',
      status: 'Status',
      deposit_id: 'Deposit',
      ref: 'Reference',
      details: 'Reason',
      user_id: 'Person',
      created_at: 'Created',
      updated_at: 'Updated',
      decisions: 'Decide',
    },
    send: {
      label: 'Send',
      title: 'Send %{amount} back to %{name}?',
      meaning:
        'The payment provider is asked for the refund, once. If it cannot make refunds, pay the amount back by hand, then mark the refund as paid.',
      done: 'Refund sent.',
    },
    reject: {
      label: 'Reject',
      title: 'Reject the refund of %{amount} to %{name}?',
      meaning: 'Nothing is paid back, and the amount is available to the student again.',
      reason: 'Reason',
      reasonHint: 'The student reads it.',
      done: 'Refund rejected.',
    },
    succeed: {
      label: 'Mark as paid',
      title: 'Has %{amount} been paid back to %{name}?',
      meaning: 'The provider normally reports this. Mark the refund as paid only if you have paid it yourself.',
      done: 'Refund marked as paid.',
    },
    fail: {
      label: 'Mark as failed',
      title: 'Has the refund of %{amount} to %{name} failed?',
      meaning: 'The amount is available to the student again. Make sure first that the provider has not paid it.',
      done: 'Refund marked as failed.',
    },
  },
  {
    name: 'Remboursement |||| Remboursements',
    title: 'Remboursement %{id}',
    ofDeposit: 'Remboursements de ce dépôt',
    fields: {
      id: 'N°',
      amount: 'Montant',
      status: 'État',
      deposit_id: 'Dépôt',
      ref: 'Référence',
      details: 'Motif',
      user_id: 'Personne',
      created_at: 'Créé le',
      updated_at: 'Modifié le',
      decisions: 'Décider',
    },
    send: {
      label: 'Envoyer',
      title: 'Rembourser %{amount} à %{name}\u00a0?',
      meaning:
        'Le remboursement est demandé au prestataire de paiement, une seule fois. S’il n’en fait pas, remboursez vous-même, puis marquez le remboursement comme payé.',
      done: 'Remboursement envoyé.',
    },
    reject: {
      label: 'Rejeter',
      title: 'Rejeter le remboursement de %{amount} à %{name}\u00a0?',
      meaning: 'Rien n’est remboursé, et l’élève dispose à nouveau du montant.',
      reason: 'Motif',
      reasonHint: 'L’élève le lit.',
      done: 'Remboursement rejeté.',
    },
    succeed: {
      label: 'Marquer comme payé',
      title: 'Confirmez-vous le remboursement de %{amount} à %{name}\u00a0?',
      meaning: 'D’habitude le prestataire le signale. À faire seulement si vous avez remboursé vous-même.',
      done: 'Remboursement marqué comme payé.',
    },
    fail: {
      label: 'Marquer comme échoué',
      title: 'Le remboursement de %{amount} à %{name} a-t-il échoué\u00a0?',
      meaning: 'L’élève dispose à nouveau du montant. Vérifiez d’abord que le prestataire ne l’a pas payé.',
      done: 'Remboursement marqué comme échoué.',
    },
  },
);
