import { catalogue } from './catalogue.ts';

export const services = catalogue(
  {
    name: 'Service |||| Services',
    add: 'Add a service',
    change: 'Change “%{name}”',
    remove: 'Delete “%{name}”?',
    removed: 'Service “%{name}” deleted.',
    removal: 'A service that a call has used cannot be deleted, and neither can VIDEO and AUDIO.',
    hints: {
      iterator: '2 to 3600 seconds',
      base_cost:
        'In the smallest unit of the currency. Charged once, with the first step. Calls already accepted keep their prices.',
      iterator_cost:
        'In the smallest unit of the currency. Charged for each step. Calls already accepted keep their prices.',
    },
    fields: {
      name: 'Name',
      iterator: 'Seconds per step',
      base_cost: 'Starting cost',
      iterator_cost: 'Cost per step',
      updated_at: 'Updated',
      actions: 'Actions',
    },
  },
  {
    name: 'Service |||| Services',
    add: 'Ajouter un service',
    change: 'Modifier «\u00a0%{name}\u00a0»',
    remove: 'Supprimer «\u00a0%{name}\u00a0»\u00a0?',
    removed: 'Service «\u00a0%{name}\u00a0» supprimé.',
    removal: 'Un service qu’un appel a utilisé ne peut pas être supprimé, ni VIDEO et AUDIO.',
    hints: {
      iterator: 'de 2 à 3600 secondes',
      base_cost:
        'Dans la plus petite unité de la monnaie. Facturé une fois, avec la première tranche. Les appels déjà acceptés gardent leurs prix.',
      iterator_cost:
        'Dans la plus petite unité de la monnaie. Facturé à chaque tranche. Les appels déjà acceptés gardent leurs prix.',
    },
    fields: {
      name: 'Nom',
      iterator: 'Secondes par tranche',
      base_cost: 'Coût de départ',
      iterator_cost: 'Coût par tranche',
      updated_at: 'Modifié le',
      actions: 'Actions',
    },
  },
);
