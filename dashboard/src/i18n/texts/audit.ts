import { catalogue } from './catalogue.ts';

export const audit = catalogue(
  {
    name: 'Entry |||| Audit',
    becomes: '→',
    empty: '(empty)',
    yes: 'yes',
    no: 'no',
    operator: 'Command line',
    quoted: '“%{name}”',
    fields: {
      admin_name: 'Administrator',
      action: 'Action',
      subject: 'Subject',
      changes: 'Changes',
      created_at: 'Time',
      request_id: 'Request',
    },
  },
  {
    name: 'Entrée |||| Audit',
    becomes: '→',
    empty: '(vide)',
    yes: 'oui',
    no: 'non',
    operator: 'Ligne de commande',
    quoted: '«\u00a0%{name}\u00a0»',
    fields: {
      admin_name: 'Administrateur',
      action: 'Action',
      subject: 'Objet',
      changes: 'Modifications',
      created_at: 'Heure',
      request_id: 'Requête',
    },
  },
);
