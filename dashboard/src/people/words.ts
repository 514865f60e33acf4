import { useLocale, useTranslate } from 'ra-core';
import { catalogue } from '../i18n/texts/catalogue.ts';

const personActions = catalogue(
  {
    ban: {
      label: 'Ban',
      title: 'Ban %{name}?',
      meaning:
        'All sessions and any call in progress end immediately. No messages, calls or withdrawals until the ban is lifted; open withdrawals remain to be decided.',
      done: 'Person banned.',
    },
    unban: {
      label: 'Unban',
      title: 'Lift the ban on %{name}?',
      meaning: 'The person can sign in again.',
      done: 'Ban lifted.',
    },
    verify: {
      label: 'Verify',
      title: 'Verify %{name} as a teacher?',
      meaning: 'Students see that this teacher is verified.',
      done: 'Teacher verified.',
    },
    unverify: {
      label: 'Undo verification',
      title: 'Remove the verification of %{name}?',
      meaning: 'Students no longer see this teacher as verified.',
      done: 'Verification removed.',
    },
  },
  {
    ban: {
      label: 'Bannir',
      title: 'Bannir %{name}\u00a0?',
      meaning:
        'Toutes ses sessions et son appel en cours prennent fin aussitôt. Ni messages, ni appels, ni retraits jusqu’à la levée du bannissement\u00a0; les retraits ouverts restent à traiter.',
      done: 'Personne bannie.',
    },
    unban: {
      label: 'Lever le bannissement',
      title: 'Lever le bannissement de %{name}\u00a0?',
      meaning: 'La personne peut se reconnecter.',
      done: 'Bannissement levé.',
    },
    verify: {
      label: 'Vérifier',
      title: 'Marquer %{name} comme enseignant vérifié\u00a0?',
      meaning: 'Les élèves voient que cet enseignant est vérifié.',
      done: 'Enseignant vérifié.',
    },
    unverify: {
      label: 'Retirer la vérification',
      title: 'Retirer la vérification de %{name}\u00a0?',
      meaning: 'Les élèves ne voient plus cet enseignant comme vérifié.',
      done: 'Vérification retirée.',
    },
  },
);

type Change = keyof typeof personActions.en;

/** The texts about a change to a person, which are loaded with this area; `%{name}` is the person's name. */
export function usePersonActionWords() {
  const translate = useTranslate();
  const words = useLocale() === 'fr' ? personActions.fr : personActions.en;
  return (change: Change, part: keyof (typeof words)[Change], name: string) => translate(words[change][part], { name });
}
