import { useCallback } from 'react';
import { resolveBrowserLocale, useLocale, useTranslate, type I18nProvider } from 'ra-core';
import polyglotI18nProvider from 'ra-i18n-polyglot';
import english from 'ra-language-english';
import french from 'ra-language-french';
import { isolatedValues } from './direction.ts';
import { administrators } from './texts/administrators.ts';
import { audit } from './texts/audit.ts';
import { bookings } from './texts/bookings.ts';
import { breaks } from './texts/breaks.ts';
import { calls } from './texts/calls.ts';
import type { Texts } from './texts/catalogue.ts';
import { common } from './texts/common.ts';
import { deposits } from './texts/deposits.ts';
import { disputes } from './texts/disputes.ts';
import { overview } from './texts/overview.ts';
import { payments } from './texts/payments.ts';
import { payouts } from './texts/payouts.ts';
import { people } from './texts/people.ts';
import { plans } from './texts/plans.ts';
import { refunds } from './texts/refunds.ts';
import { reports } from './texts/reports.ts';
import { reviews } from './texts/reviews.ts';
import { services } from './texts/services.ts';
import { settings } from './texts/settings.ts';
import { signIn } from './texts/sign-in.ts';
import { skills } from './texts/skills.ts';
import { support } from './texts/support.ts';
import { withdrawals } from './texts/withdrawals.ts';

const areas = {
  people,
  deposits,
  withdrawals,
  payouts,
  payments,
  disputes,
  refunds,
  breaks,
  calls,
  bookings,
  reviews,
  support,
  reports,
  skills,
  plans,
  services,
  settings,
  administrators,
  audit,
};

export const LANGUAGES = [
  { locale: 'en', name: 'English' },
  { locale: 'fr', name: 'Français' },
] as const;
export type Language = (typeof LANGUAGES)[number]['locale'];

/** The dashboard's own messages in one language. react-admin reads `resources.<name>.name` and `.fields`. */
const messagesOf = <L extends Language>(language: L) => ({
  ...common[language],
  signIn: signIn[language],
  overviewPage: overview[language],
  resources: Object.fromEntries(Object.entries(areas).map(([name, texts]) => [name, texts[language]])),
});

const messages = { en: { ...english, ...messagesOf('en') }, fr: { ...french, ...messagesOf('fr') } };

export function createI18nProvider(): I18nProvider {
  const toLanguage = (locale: string): Language => (locale.startsWith('fr') ? 'fr' : 'en');
  const initial = toLanguage(resolveBrowserLocale('en'));
  const provider = polyglotI18nProvider((locale) => messages[toLanguage(locale)], initial, [...LANGUAGES], {
    // A missing key is not an error: it is a message of the server, already in the reader's language.
    allowMissing: true,
  });
  const setDocumentLanguage = (locale: string) => void (document.documentElement.lang = locale);
  setDocumentLanguage(initial);
  return {
    ...provider,
    translate: (name, values?: object) => provider.translate(name, values && isolatedValues(values)),
    changeLocale: (locale) => provider.changeLocale(locale).then(() => setDocumentLanguage(locale)),
  };
}

/** All message keys of a catalogue, such as `people.fields.email`. */
type NamesOf<T, Before extends string = ''> = {
  [Name in keyof T & string]: T[Name] extends string ? `${Before}${Name}` : NamesOf<T[Name], `${Before}${Name}.`>;
}[keyof T & string];
type Areas = { [Name in keyof typeof areas]: (typeof areas)[Name]['en'] };
export type TextName =
  | NamesOf<typeof common.en>
  | NamesOf<typeof signIn.en, 'signIn.'>
  | NamesOf<typeof overview.en, 'overviewPage.'>
  | NamesOf<Areas, 'resources.'>;

/** Translates message keys into the reader's language. An unknown key is a type error. */
export function useText() {
  const translate = useTranslate();
  return useCallback(
    (name: TextName, values?: Record<string, string | number>) => translate(name, values),
    [translate],
  );
}

/** The text of a key such as `results.apply.title`. */
const textOf = (texts: Texts, name: string): string | undefined => {
  const found = name
    .split('.')
    .reduce<string | Texts | undefined>((at, key) => (typeof at === 'object' ? at[key] : undefined), texts);
  return typeof found === 'string' ? found : undefined;
};

/** Creates a hook like `useText` for texts that are not part of the first load: they are loaded with their area. */
export const createTextHook =
  <const T extends Texts>({ en, fr }: { en: T; fr: Texts }) =>
  () => {
    const translate = useTranslate();
    const texts = useLocale() === 'fr' ? fr : en;
    return (name: NamesOf<T> & string, values?: Record<string, string | number>) =>
      // No message has a name that begins so: the text is always the default.
      translate(`area.${name}`, { ...values, _: textOf(texts, name) });
  };
