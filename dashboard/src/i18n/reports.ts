import { catalogue } from './catalogue.ts';

export const reports = catalogue(
  {
    name: 'Report |||| Reports',
    fields: {
      reason: 'Reason',
      details: 'Details',
      status: 'Status',
      note: 'Note',
      reporter: 'Reported by',
      user: 'About',
      created_at: 'Created',
    },
  },
  {
    name: 'Signalement |||| Signalements',
    fields: {
      reason: 'Motif',
      details: 'Détails',
      status: 'État',
      note: 'Note',
      reporter: 'Signalé par',
      user: 'Au sujet de',
      created_at: 'Créé',
    },
  },
);
