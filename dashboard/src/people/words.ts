import { useLocale, useTranslate } from 'ra-core';
import { catalogue } from '../i18n/texts/catalogue.ts';

const standing = catalogue(
  {
    ban: {
      label: 'Ban',
      title: 'Ban %{name}?',
      meaning:
        'Every session ends at once, and a call that runs. No messages, calls or withdrawals until the ban is lifted; open withdrawals wait for a decision.',
      done: 'The person is banned.',
    },
    unban: {
      label: 'Unban',
      title: 'Lift the ban of %{name}?',
      meaning: 'The person can sign in again.',
      done: 'The ban is lifted.',
    },
    verify: {
      label: 'Verify',
      title: 'Verify %{name} as a teacher?',
      meaning: 'Students see that this teacher has been checked.',
      done: 'The teacher is verified.',
    },
    unverify: {
      label: 'Undo verification',
      title: 'Show %{name} as not checked again?',
      meaning: 'Students no longer see that this teacher has been checked.',
      done: 'The teacher counts as not checked.',
    },
  },
  {
    ban: {
      label: 'Bannir',
      title: 'Bannir %{name}\u00a0?',
      meaning:
        'Toutes ses sessions prennent fin aussitôt, et l’appel en cours. Ni messages, ni appels, ni retraits jusqu’à la levée\u00a0; les retraits ouverts attendent une décision.',
      done: 'La personne est bannie.',
    },
    unban: {
      label: 'Débannir',
      title: 'Lever le bannissement de %{name}\u00a0?',
      meaning: 'La personne peut se reconnecter.',
      done: 'Le bannissement est levé.',
    },
    verify: {
      label: 'Vérifier',
      title: 'Vérifier %{name} comme enseignant\u00a0?',
      meaning: 'Les élèves voient que cet enseignant a été contrôlé.',
      done: 'L’enseignant est vérifié.',
    },
    unverify: {
      label: 'Retirer la vérification',
      title: 'Montrer de nouveau %{name} comme non contrôlé\u00a0?',
      meaning: 'Les élèves ne voient plus que cet enseignant a été contrôlé.',
      done: 'L’enseignant est considéré comme non contrôlé.',
    },
  },
);

type Deed = keyof typeof standing.en;

/** The sentences about a deed, which come with this area: with `%{name}` of the person. */
export function useStandingWords() {
  const translate = useTranslate();
  const words = useLocale() === 'fr' ? standing.fr : standing.en;
  return (deed: Deed, part: keyof (typeof words)[Deed], name: string) => translate(words[deed][part], { name });
}
