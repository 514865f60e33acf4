const MINUTES = 10;

/** What a code is for, as its message says. */
const PURPOSES: Record<string, string> = {
  register: 'vérifier votre compte',
  contested: 'vérifier votre compte',
  login: 'vous connecter',
  reset: 'réinitialiser votre mot de passe',
  admin_reset: 'réinitialiser votre mot de passe d’administrateur',
  email: 'confirmer votre nouvelle adresse e-mail',
  phone: 'confirmer votre nouveau numéro de téléphone',
  change: 'donner à votre compte une autre adresse e-mail ou un autre numéro de téléphone',
  delete: 'supprimer votre compte',
};

const FIELDS: Record<string, string> = {
  code: 'code',
  email: 'adresse e-mail',
  password: 'mot de passe',
  'phone number': 'numéro de téléphone',
};

const NOT_YOU = 'Si ce n’était pas vous, réinitialisez immédiatement votre mot de passe et contactez l’assistance.';

/** The French of `texts.ts`. SMS texts use only letters of the SMS alphabet. */
export const fr = {
  unauthenticated: 'Non authentifié.',
  invalidCredentials: 'Identifiants invalides.',
  userNotFound: 'Utilisateur introuvable.',
  recordNotFound: 'L’enregistrement est introuvable.',
  loggedOut: 'Vous avez été déconnecté.',

  registered: 'Votre compte a été créé. Veuillez consulter vos messages pour trouver le code de vérification.',
  registeredAtOnce: 'Votre compte a été créé et vérifié.',
  verified: 'Votre compte a été vérifié.',
  restart: 'L’utilisateur est inconnu ou le code est invalide. Veuillez recommencer la procédure.',
  tooManyAttempts: 'Trop de tentatives.',

  tooManyDays: 'Le champ :attribute doit être à 366 jours au plus du champ début.',

  checkMessages: 'Si l’adresse attend son code, un nouveau a été envoyé. Veuillez consulter vos messages.',
  checkMailbox: 'Si l’adresse existe, un code a été envoyé. Veuillez consulter votre messagerie.',
  checkPhone: 'Si le numéro existe, un code a été envoyé. Veuillez consulter votre téléphone.',
  codeInvalid: 'Le code est invalide.',
  codeAccepted: 'Le code est valide. Veuillez choisir un nouveau mot de passe.',
  resetFailed: 'Une erreur est survenue, veuillez recommencer la procédure.',
  passwordReset: 'Votre mot de passe a été réinitialisé. Veuillez vous connecter.',

  codeSent: (field: 'code' | 'old_code') => `Un code a été envoyé. Renvoyez-le dans le champ ${field} pour confirmer.`,
  passwordIncorrect: 'Le mot de passe est incorrect.',
  passwordTooCommon: 'Le mot de passe est trop courant.',
  requiredWith: (other: string) => `Le champ :attribute est obligatoire quand ${FIELDS[other] ?? other} est présent.`,
  oneAtATime: 'Modifiez l’adresse e-mail et le numéro de téléphone séparément.',
  noPassword: 'Ce compte n’a pas de mot de passe.',
  phoneInvalid: 'Le format du champ :attribute est invalide.',
  accountDeleted: 'Votre compte a été supprimé.',
  inCall: 'Le compte ne peut pas être supprimé pendant un appel.',
  openWithdrawal: 'Le compte ne peut pas être supprimé tant qu’un retrait est en cours.',
  moneyLeft: 'Le compte contient encore de l’argent. Retirez-le, ou envoyez forfeit pour y renoncer.',

  moneyForfeits: 'Le compte contient encore de l’argent, perdu si vous envoyez «\u00a0forfeit\u00a0: true\u00a0».',

  sessionEnded: 'La session a été fermée.',
  sessionsEnded: 'Toutes les autres sessions ont été fermées.',
  androidApp: 'Application Android',
  iosApp: 'Application iOS',
  mobileApp: 'Application mobile',
  unknownDevice: 'Appareil inconnu',
  browserOn: (browser: string, system: string) => `${browser} sur ${system}`,

  notAnImage: 'Le champ :attribute doit être une image.',
  photoRemoved: 'La photo a été supprimée.',

  issuer: 'Tutoring',
  codeRequired: 'Un code est requis.',
  totpIsOn: 'La double authentification est déjà activée.',
  totpConfirmed:
    'La double authentification est activée. Conservez les codes de secours\u00a0: chacun ne sert qu’une fois, et ils ne ' +
    'seront plus affichés.',
  totpRemoved: 'La double authentification est désactivée.',

  tokenDeleted: 'Le jeton a été supprimé.',
  tooManyTokens: 'Il y a trop de jetons d’API. Veuillez d’abord en supprimer un.',

  adminCreated: 'L’administrateur a été créé.',
  adminUpdated: 'L’administrateur a été modifié.',
  notYourself: 'Vous ne pouvez pas vous désactiver vous-même.',
  lastSuper: 'Le dernier super-administrateur actif ne peut pas être désactivé.',
  adminExists: (email: string) => `Il existe déjà un administrateur ${email}.`,
  noEmail: (text: string) => `${text} n’est pas une adresse e-mail.`,
  noActiveSuper:
    'Sans super-administrateur actif, personne ne pourrait modifier les administrateurs ni les paramètres.',
  onlyTeachers: 'Seul un enseignant peut être vérifié.',
  inUse: 'L’enregistrement est utilisé et ne peut pas être supprimé.',
  deleted: 'L’enregistrement a été supprimé.',
  busy: 'Le service est occupé. Veuillez réessayer.',

  letters: {
    codeSubject: (code: string) => `${code} est votre code`,
    codeUse: (purpose: string) =>
      `Utilisez ce code pour ${PURPOSES[purpose] ?? purpose}. Il est valable ${MINUTES} minutes.`,
    codeWarning: 'Si vous ne l’avez pas demandé, ignorez ce message et ne communiquez le code à personne.',
    contested:
      'L’adresse a été envoyée plusieurs fois avec des mots de passe différents, aucun n’a donc été retenu\u00a0: une fois ' +
      'le compte vérifié, choisissez un mot de passe en le réinitialisant.',
    codeSms: (code: string) => `${code} est votre code, valable ${MINUTES} minutes. Ne le communiquez à personne.`,
    passwordChanged: {
      subject: 'Votre mot de passe a été modifié',
      sentences: ['Le mot de passe de votre compte a été modifié, et tous les appareils ont été déconnectés.', NOT_YOU],
    },
    ownPasswordChanged: {
      subject: 'Votre mot de passe a été modifié',
      sentences: [
        'Le mot de passe de votre compte a été modifié, et tous les autres appareils ont été déconnectés.',
        NOT_YOU,
      ],
    },
    totpRemoved: {
      subject: 'La double authentification est désactivée',
      sentences: ['La double authentification de votre compte a été désactivée.', NOT_YOU],
    },
    emailChanged: {
      subject: 'Votre adresse e-mail a été modifiée',
      sentences: [
        'L’adresse e-mail de votre compte a été remplacée par une autre.',
        'Si ce n’était pas vous, contactez l’assistance.',
      ],
    },
    phoneChanged: {
      subject: 'Votre numéro de téléphone a été modifié',
      sentences: [
        'Le numéro de téléphone de votre compte a été remplacé par un autre.',
        'Si ce n’était pas vous, contactez l’assistance.',
      ],
    },
  },
};
