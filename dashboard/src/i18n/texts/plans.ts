import { catalogue } from './catalogue.ts';

export const plans = catalogue(
  {
    name: 'Plan |||| Plans',
    add: 'Add a plan',
    change: 'Change “%{name}”',
    remove: 'Delete “%{name}”?',
    removed: 'The plan “%{name}” is deleted.',
    removal: 'A plan that a teacher has chosen cannot be deleted.',
    hints: { points: '0 to 1,000,000,000', image_cost: '0 to 1,000,000,000' },
    fields: {
      name: 'Name',
      points: 'Points',
      image_cost: 'Cost of an image',
      updated_at: 'Changed',
      actions: 'Actions',
    },
  },
  {
    name: 'Formule |||| Formules',
    add: 'Ajouter une formule',
    change: 'Modifier « %{name} »',
    remove: 'Supprimer « %{name} » ?',
    removed: 'La formule « %{name} » est supprimée.',
    removal: 'Une formule qu’un enseignant a choisie ne peut pas être supprimée.',
    hints: { points: 'de 0 à 1 000 000 000', image_cost: 'de 0 à 1 000 000 000' },
    fields: {
      name: 'Nom',
      points: 'Points',
      image_cost: 'Coût d’une image',
      updated_at: 'Modifiée',
      actions: 'Actions',
    },
  },
);
