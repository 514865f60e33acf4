const STATUSES: Record<string, string> = {
  initiated: 'initié',
  pending: 'en attente',
  success: 'effectué',
  failed: 'échoué',
  canceled: 'annulé',
};

/** The French of `texts.ts`. */
export const fr = {
  depositUnknown: 'Dépôt introuvable.',
  withdrawalUnknown: 'Retrait introuvable.',
  callUnknown: 'Appel introuvable.',
  userUnknown: 'Utilisateur introuvable.',
  checkoutUnknown: 'Ce lien de paiement n’est pas valable.',
  providerUnknown: 'Ce prestataire de paiement est inconnu.',
  providerAway: 'Le prestataire de paiement est indisponible. Veuillez réessayer.',
  signatureWrong: 'La signature est absente, fausse ou trop ancienne.',
  webhookMalformed: 'L’événement n’a pas pu être compris.',
  amountAtLeast: (minimum: number) => `Le champ :attribute doit être au moins égal à ${minimum}.`,
  amountAtMost: (maximum: number) => `Le champ :attribute ne doit pas être supérieur à ${maximum}.`,
  notEnough: 'Il n’y a pas assez d’argent disponible.',
  moneyGone: 'L’argent n’est plus là.',
  nothingToRefund: 'Tout ce qui a été débité pour cet appel a été remboursé.',
  referenceTaken: 'La référence appartient à autre chose.',
  cannotCancel: (status: string) => `Un retrait ${STATUSES[status] ?? status} ne peut plus être annulé.`,
  decidedMeanwhile: (status: string) =>
    `Le statut est entre-temps «\u00a0${STATUSES[status] ?? status}\u00a0». Rien n’a été modifié.`,
  leavingSuccess: 'Accès non autorisé',
  banned: 'Accès non autorisé',
  accountClosed: 'Le compte est fermé ou en cours de fermeture.',
  tooManyOpen: (most: number) => `Il y a déjà ${most} dépôts non payés. Veuillez d’abord en payer un.`,
  checkout: {
    badge: 'Paiement de test',
    title: 'Recharger votre solde',
    reference: 'Référence',
    status: 'Statut',
    statuses: { initiated: 'initié', pending: 'en attente', success: 'réussi', failed: 'échoué', canceled: 'annulé' },
    pay: 'Payer',
    fail: 'Faire échouer',
    cancel: 'Annuler',
    note: 'Ceci est le prestataire de test\u00a0: aucun argent réel ne circule.',
    ended: {
      initiated: { title: '', text: '' },
      pending: { title: '', text: '' },
      success: {
        title: 'Paiement reçu',
        text: 'Merci. Votre solde a été rechargé\u00a0; vous pouvez fermer cette page.',
      },
      failed: { title: 'Échec du paiement', text: 'Le paiement n’a pas abouti. Rien n’a été débité.' },
      canceled: { title: 'Paiement annulé', text: 'Le paiement a été annulé. Rien n’a été débité.' },
    },
    returnedTitle: 'Merci',
    returned:
      'Vous pouvez fermer cette page et revenir à l’application\u00a0: votre solde change dès que le paiement est confirmé.',
  },
};
