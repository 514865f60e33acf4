import { useLocale } from 'ra-core';

/** The reader's language as their browser writes it (`en-GB`): how numbers and dates look. */
export function useRegion(): string {
  const language = useLocale();
  return navigator.languages.find((known) => known.split('-')[0] === language) ?? language;
}

/** Some systems call their language `en-US@posix`. */
function isKnown(region: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(region).length > 0;
  } catch {
    return false;
  }
}

/** As which the reader may write numbers: in the language that is shown, and as everywhere in their browser. */
export const useRegions = (): string[] => [useRegion(), navigator.language].filter(isKnown);
