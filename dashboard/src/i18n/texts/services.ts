import { catalogue } from './catalogue.ts';

export const services = catalogue(
  {
    name: 'Service |||| Services',
    add: 'Add a service',
    change: 'Change “%{name}”',
    remove: 'Delete “%{name}”?',
    removed: 'The service “%{name}” is deleted.',
    removal: 'Only a service that no call has used can be deleted. VIDEO and AUDIO stay.',
    hints: {
      iterator: '2 to 3600 seconds',
      base_cost:
        'In the smallest unit of the currency. Paid once, with the first step. Calls that have been accepted keep their prices.',
      iterator_cost:
        'In the smallest unit of the currency. Paid for each step. Calls that have been accepted keep their prices.',
    },
    fields: {
      name: 'Name',
      iterator: 'Seconds of a step',
      base_cost: 'Cost to begin',
      iterator_cost: 'Cost of a step',
      updated_at: 'Changed',
      actions: 'Actions',
    },
  },
  {
    name: 'Service |||| Services',
    add: 'Ajouter un service',
    change: 'Modifier « %{name} »',
    remove: 'Supprimer « %{name} » ?',
    removed: 'Le service « %{name} » est supprimé.',
    removal: 'Seul un service qu’aucun appel n’a utilisé peut être supprimé. VIDEO et AUDIO restent.',
    hints: {
      iterator: 'de 2 à 3600 secondes',
      base_cost:
        'Dans la plus petite unité de la monnaie. Payé une fois, avec la première tranche. Les appels acceptés gardent leurs prix.',
      iterator_cost:
        'Dans la plus petite unité de la monnaie. Payé à chaque tranche. Les appels acceptés gardent leurs prix.',
    },
    fields: {
      name: 'Nom',
      iterator: 'Secondes par tranche',
      base_cost: 'Coût de départ',
      iterator_cost: 'Coût d’une tranche',
      updated_at: 'Modifié',
      actions: 'Actions',
    },
  },
);
