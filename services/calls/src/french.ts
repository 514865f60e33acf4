/** The French of `texts.ts`. */
export const fr = {
  initiated: 'L’appel a été lancé.',
  notRinging: 'Aucun appel ne sonne.',
  unknownCall: 'L’appel est introuvable.',
  callOver: 'L’appel est terminé.',
  busy: {
    student: 'Vous êtes déjà en appel.',
    teacher: 'L’enseignant est déjà en appel.',
    otherType: 'Vous appelez déjà cet enseignant avec un autre type d’appel.',
  },
  teacherNotVerified: 'L’enseignant n’a pas encore été vérifié.',
  teacherUnavailable: 'L’enseignant ne peut pas être appelé.',
  tooManyRings: 'Vous avez appelé cet enseignant trop souvent. Veuillez réessayer plus tard.',
  callerBanned: 'Votre compte ne permet pas de passer des appels.',
  notEnoughMoney: 'Le solde ne couvre pas la première étape de cet appel.',
  studentLacksMoney: 'Le solde de l’élève ne couvre pas la première étape de cet appel.',
  walletAway: 'Les paiements sont indisponibles pour le moment. Veuillez réessayer.',
  peopleAway: 'Les comptes sont indisponibles pour le moment. Veuillez réessayer.',
  cannotBill: {
    unknown: 'L’appel ne peut pas être facturé\u00a0: il est introuvable.',
    notActive: 'L’appel ne peut pas être facturé\u00a0: il n’est pas en cours.',
    money: 'L’appel ne peut pas être facturé\u00a0: le solde de l’élève est insuffisant.',
    walletAway: 'L’appel ne peut pas être facturé pour le moment. Veuillez réessayer.',
  },
  service: {
    unknown: 'Le service est introuvable.',
    inUse: 'Le service est utilisé et ne peut pas être supprimé.',
    nameNeeded: 'Les appels ont besoin du service qui porte ce nom\u00a0: il ne peut pas être renommé.',
    deleted: 'Le service a été supprimé.',
  },
};
