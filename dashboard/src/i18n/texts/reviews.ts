import { catalogue } from './catalogue.ts';

export const reviews = catalogue(
  {
    name: 'Review |||| Reviews',
    stars: '%{smart_count} of 5 stars',
    ratings: { 1: '1 star', 2: '2 stars', 3: '3 stars', 4: '4 stars', 5: '5 stars' },
    visibility: { true: 'hidden', false: 'visible' },
    reasonHint: 'Recorded in the audit log. Not visible to the student or the teacher.',
    hide: {
      label: 'Hide',
      title: 'Hide the review by %{name}?',
      meaning: 'Only administrators can see it, and it no longer counts towards the teacher’s rating.',
      done: 'Review hidden.',
    },
    show: {
      label: 'Show',
      title: 'Show the review by %{name} again?',
      meaning: 'Everyone can see it, and it counts towards the teacher’s rating.',
      done: 'Review visible again.',
    },
    fields: {
      created_at: 'Written',
      rating: 'Rating',
      student_name: 'Student',
      teacher_id: 'Teacher',
      comment: 'Comment',
      reply: 'Reply',
      hidden: 'Visibility',
      actions: 'Actions',
    },
  },
  {
    name: 'Avis |||| Avis',
    stars: '%{smart_count} étoile sur 5 |||| %{smart_count} étoiles sur 5',
    ratings: { 1: '1 étoile', 2: '2 étoiles', 3: '3 étoiles', 4: '4 étoiles', 5: '5 étoiles' },
    visibility: { true: 'masqué', false: 'visible' },
    reasonHint: 'Enregistré dans le journal d’audit. Ni l’élève ni l’enseignant ne le voient.',
    hide: {
      label: 'Masquer',
      title: 'Masquer l’avis de %{name}\u00a0?',
      meaning: 'Seuls les administrateurs le voient encore, et il ne compte plus dans la note de l’enseignant.',
      done: 'Avis masqué.',
    },
    show: {
      label: 'Afficher',
      title: 'Afficher de nouveau l’avis de %{name}\u00a0?',
      meaning: 'Tout le monde le voit, et il compte dans la note de l’enseignant.',
      done: 'Avis de nouveau visible.',
    },
    fields: {
      created_at: 'Écrit le',
      rating: 'Note',
      student_name: 'Élève',
      teacher_id: 'Enseignant',
      comment: 'Commentaire',
      reply: 'Réponse',
      hidden: 'Visibilité',
      actions: 'Actions',
    },
  },
);
