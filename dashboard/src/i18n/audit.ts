import { catalogue } from './catalogue.ts';

export const audit = catalogue(
  {
    name: 'Entry |||| Audit',
    fields: {
      admin_name: 'Administrator',
      action: 'Action',
      subject: 'Subject',
      created_at: 'Time',
      request_id: 'Request',
    },
  },
  {
    name: 'Entrée |||| Audit',
    fields: {
      admin_name: 'Administrateur',
      action: 'Action',
      subject: 'Objet',
      created_at: 'Heure',
      request_id: 'Requête',
    },
  },
);
