import { catalogue } from './catalogue.ts';

export const reviews = catalogue(
  {
    name: 'Review |||| Reviews',
    stars: '%{rating} of 5 stars',
    ratings: { 1: '1 star', 2: '2 stars', 3: '3 stars', 4: '4 stars', 5: '5 stars' },
    visibility: { true: 'hidden', false: 'shown' },
    hide: {
      label: 'Hide',
      title: 'Hide the review by %{name}?',
      meaning: 'Nobody but administrators sees it any more, and it does not count in the teacher’s rating.',
      done: 'The review is hidden.',
    },
    show: {
      label: 'Show',
      title: 'Show the review by %{name} again?',
      meaning: 'Everybody sees it, and it counts in the teacher’s rating.',
      done: 'The review is shown.',
    },
    fields: {
      created_at: 'Written',
      rating: 'Rating',
      student_name: 'Student',
      teacher_id: 'Teacher',
      comment: 'Comment',
      reply: 'Answer',
      hidden: 'Visibility',
      actions: 'Actions',
    },
  },
  {
    name: 'Avis |||| Avis',
    stars: '%{rating} étoiles sur 5',
    ratings: { 1: '1 étoile', 2: '2 étoiles', 3: '3 étoiles', 4: '4 étoiles', 5: '5 étoiles' },
    visibility: { true: 'masqué', false: 'visible' },
    hide: {
      label: 'Masquer',
      title: 'Masquer l’avis de %{name}\u00a0?',
      meaning: 'Seuls les administrateurs le voient encore, et il ne compte plus dans la note de l’enseignant.',
      done: 'L’avis est masqué.',
    },
    show: {
      label: 'Afficher',
      title: 'Afficher de nouveau l’avis de %{name}\u00a0?',
      meaning: 'Tout le monde le voit, et il compte dans la note de l’enseignant.',
      done: 'L’avis est visible.',
    },
    fields: {
      created_at: 'Écrit',
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
