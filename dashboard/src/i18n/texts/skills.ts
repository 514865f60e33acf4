import { catalogue } from './catalogue.ts';

export const skills = catalogue(
  {
    name: 'Skill |||| Skills',
    add: 'Add a skill',
    change: 'Rename “%{name}”',
    remove: 'Delete “%{name}”?',
    removed: 'The skill “%{name}” is deleted.',
    removal: 'A skill that somebody has cannot be deleted.',
    fields: { name: 'Name', created_at: 'Created', updated_at: 'Changed', actions: 'Actions' },
  },
  {
    name: 'Compétence |||| Compétences',
    add: 'Ajouter une compétence',
    change: 'Renommer « %{name} »',
    remove: 'Supprimer « %{name} » ?',
    removed: 'La compétence « %{name} » est supprimée.',
    removal: 'Une compétence que quelqu’un possède ne peut pas être supprimée.',
    fields: { name: 'Nom', created_at: 'Créée', updated_at: 'Modifiée', actions: 'Actions' },
  },
);
