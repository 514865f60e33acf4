import { catalogue } from './catalogue.ts';

export const administrators = catalogue(
  {
    name: 'Administrator |||| Administrators',
    create: 'Create an administrator',
    created: 'The administrator has been created and can sign in.',
    passwordHint: 'At least 8 characters. The new administrator can change it.',
    levels: { su: 'super', default: 'default' },
    deactivate: {
      button: 'Deactivate',
      question: 'Deactivate %{name}?',
      meaning: 'All sessions end within a second, and signing in is refused.',
    },
    activate: { button: 'Activate', question: 'Activate %{name}?', meaning: 'Signing in is possible again.' },
    fields: {
      name: 'Name',
      email: 'E-mail',
      phone_number: 'Phone',
      level: 'Level',
      status: 'Status',
      password: 'Password',
      created_at: 'Since',
      actions: 'Actions',
    },
  },
  {
    name: 'Administrateur |||| Administrateurs',
    create: 'Créer un administrateur',
    created: 'L’administrateur a été créé et peut se connecter.',
    passwordHint: 'Au moins 8 caractères. Le nouvel administrateur peut le changer.',
    levels: { su: 'super', default: 'standard' },
    deactivate: {
      button: 'Désactiver',
      question: 'Désactiver %{name} ?',
      meaning: 'Toutes les sessions prennent fin en une seconde, et la connexion est refusée.',
    },
    activate: { button: 'Activer', question: 'Activer %{name} ?', meaning: 'La connexion est de nouveau possible.' },
    fields: {
      name: 'Nom',
      email: 'E-mail',
      phone_number: 'Téléphone',
      level: 'Niveau',
      status: 'État',
      password: 'Mot de passe',
      created_at: 'Depuis',
      actions: 'Actions',
    },
  },
);
