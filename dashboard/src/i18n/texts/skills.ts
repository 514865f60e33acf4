import { catalogue } from './catalogue.ts';

export const skills = catalogue(
  {
    name: 'Skill |||| Skills',
    add: 'Add a skill',
    change: 'Rename “%{name}”',
    remove: 'Delete “%{name}”?',
    removed: 'Skill “%{name}” deleted.',
    removal: 'A skill that is in use cannot be deleted.',
    fields: { name: 'Name', created_at: 'Created', updated_at: 'Updated', actions: 'Actions' },
  },
  {
    name: 'Compétence |||| Compétences',
    add: 'Ajouter une compétence',
    change: 'Renommer «\u00a0%{name}\u00a0»',
    remove: 'Supprimer «\u00a0%{name}\u00a0»\u00a0?',
    removed: 'Compétence «\u00a0%{name}\u00a0» supprimée.',
    removal: 'Une compétence utilisée ne peut pas être supprimée.',
    fields: { name: 'Nom', created_at: 'Créée le', updated_at: 'Modifiée le', actions: 'Actions' },
  },
);
