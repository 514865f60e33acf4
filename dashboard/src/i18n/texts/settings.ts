import { catalogue } from './catalogue.ts';

export const settings = catalogue(
  {
    name: 'Setting |||| Settings',
    on: 'On',
    off: 'Off',
    limits: '%{min} to %{max}',
    effect: 'Takes effect everywhere within two seconds.',
    groups: {
      money: 'Money',
      calls: 'Calls',
      lessons: 'Bookings and reviews',
      messages: 'Messages',
      access: 'Access',
      other: 'Other',
    },
    fields: { name: 'Name', value: 'Value', description: 'Meaning', updated_at: 'Updated', actions: 'Actions' },
  },
  {
    name: 'Réglage |||| Réglages',
    on: 'Activé',
    off: 'Désactivé',
    limits: 'de %{min} à %{max}',
    effect: 'Prend effet partout en moins de deux secondes.',
    groups: {
      money: 'Argent',
      calls: 'Appels',
      lessons: 'Réservations et avis',
      messages: 'Messages',
      access: 'Accès',
      other: 'Autres',
    },
    fields: {
      name: 'Nom',
      value: 'Valeur',
      description: 'Signification',
      updated_at: 'Modifié le',
      actions: 'Actions',
    },
  },
);
