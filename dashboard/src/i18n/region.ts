import { useLocale } from 'ra-core';

/** The reader's language as their browser writes it (`en-GB`): how numbers and dates look. */
export function useRegion(): string {
  const language = useLocale();
  return navigator.languages.find((known) => known.split('-')[0] === language) ?? language;
}
