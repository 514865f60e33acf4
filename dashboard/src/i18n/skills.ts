import { catalogue } from './catalogue.ts';

export const skills = catalogue(
  {
    name: 'Skill |||| Skills',
    fields: { name: 'Name', created_at: 'Created', updated_at: 'Changed' },
  },
  {
    name: 'Compétence |||| Compétences',
    fields: { name: 'Nom', created_at: 'Créée', updated_at: 'Modifiée' },
  },
);
