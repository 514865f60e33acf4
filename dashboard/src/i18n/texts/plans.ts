import { catalogue } from './catalogue.ts';

export const plans = catalogue(
  {
    name: 'Plan |||| Plans',
    add: 'Add a plan',
    change: 'Change “%{name}”',
    remove: 'Delete “%{name}”?',
    removed: 'Plan “%{name}” deleted.',
    removal: 'A plan that a teacher has chosen cannot be deleted.',
    hints: { points: '0 to 1,000,000,000', image_cost: '0 to 1,000,000,000' },
    fields: {
      name: 'Name',
      points: 'Points',
      image_cost: 'Cost per image',
      updated_at: 'Updated',
      actions: 'Actions',
    },
  },
  {
    name: 'Formule |||| Formules',
    add: 'Ajouter une formule',
    change: 'Modifier «\u00a0%{name}\u00a0»',
    remove: 'Supprimer «\u00a0%{name}\u00a0»\u00a0?',
    removed: 'Formule «\u00a0%{name}\u00a0» supprimée.',
    removal: 'Une formule qu’un enseignant a choisie ne peut pas être supprimée.',
    hints: { points: 'de 0 à 1 000 000 000', image_cost: 'de 0 à 1 000 000 000' },
    fields: {
      name: 'Nom',
      points: 'Points',
      image_cost: 'Coût par image',
      updated_at: 'Modifiée le',
      actions: 'Actions',
    },
  },
);
