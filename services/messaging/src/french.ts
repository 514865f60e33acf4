import { plural } from '@tutoring/shared/language/localized';

const UNITS = {
  second: { one: 'seconde', other: 'secondes' },
  minute: { one: 'minute', other: 'minutes' },
  hour: { one: 'heure', other: 'heures' },
  day: { one: 'jour', other: 'jours' },
  week: { one: 'semaine', other: 'semaines' },
  month: { one: 'mois', other: 'mois' },
  year: { one: 'an', other: 'ans' },
};

/** The French of `texts.ts`. */
export const fr = {
  roomNotFound: 'Conversation introuvable.',
  fileNotFound: 'Fichier introuvable.',
  unreadableImage: 'Le champ :attribute doit être une image lisible.',
  tryAgain: 'Le service est occupé. Veuillez réessayer.',
  reportNotFound: 'Signalement introuvable.',
  recipientGone: 'Cette personne ne peut plus recevoir de messages.',
  cannotWrite: 'Vous ne pouvez pas écrire à cette personne.',
  userNotFound: 'Utilisateur introuvable.',
  blocked: 'La personne a été bloquée.',
  unblocked: 'La personne a été débloquée.',
  barred: 'Accès non autorisé',
  missedCall: 'Appel manqué',
  tooLong: (limit: number) => `Le champ :attribute ne doit pas dépasser ${limit} caractères.`,
  unread: (count: number) => `(${count} ${plural('fr', count, { one: 'non lu', other: 'non lus' })})`,
  incomingCall: { video: 'Appel vidéo entrant', audio: 'Appel audio entrant' },
  callOver: {
    active: 'L’appel a été accepté',
    ended: 'L’appel est terminé',
    rejected: 'L’appel a été refusé',
    canceled: 'L’appel a été annulé',
    missed: 'Appel manqué',
  },
  attachment: {
    message: 'A envoyé un lien',
    image: 'A envoyé une image',
    audio: 'A envoyé un enregistrement',
    video: 'A envoyé une vidéo',
    file: 'A envoyé un fichier',
  },
  support: 'Assistance',
  someone: 'Nouveau message',
  ago: (count: number, unit: keyof typeof UNITS) => `il y a ${count} ${plural('fr', count, UNITS[unit])}`,
};
