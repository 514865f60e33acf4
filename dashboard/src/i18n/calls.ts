import { catalogue } from './catalogue.ts';

export const calls = catalogue(
  {
    name: 'Call |||| Calls',
    fields: {
      identifier: 'Identifier',
      state: 'State',
      call_type: 'Type',
      student_name: 'Student',
      teacher_name: 'Teacher',
      steps: 'Steps',
      total_cost: 'Cost',
      refunded: 'Refunded',
      created_at: 'Started',
    },
  },
  {
    name: 'Appel |||| Appels',
    fields: {
      identifier: 'Identifiant',
      state: 'État',
      call_type: 'Type',
      student_name: 'Élève',
      teacher_name: 'Enseignant',
      steps: 'Pas',
      total_cost: 'Coût',
      refunded: 'Remboursé',
      created_at: 'Début',
    },
  },
);
