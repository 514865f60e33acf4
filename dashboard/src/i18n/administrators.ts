import { catalogue } from './catalogue.ts';

export const administrators = catalogue(
  {
    name: 'Administrator |||| Administrators',
    fields: {
      name: 'Name',
      email: 'E-mail',
      phone_number: 'Phone',
      level: 'Level',
      status: 'Status',
      password: 'Password',
      created_at: 'Since',
    },
  },
  {
    name: 'Administrateur |||| Administrateurs',
    fields: {
      name: 'Nom',
      email: 'E-mail',
      phone_number: 'Téléphone',
      level: 'Niveau',
      status: 'État',
      password: 'Mot de passe',
      created_at: 'Depuis',
    },
  },
);
