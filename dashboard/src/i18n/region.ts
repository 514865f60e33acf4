import { useLocale } from 'ra-core';

/** The browser's locale for the reader's language (`en-GB`), which decides the format of numbers and dates. */
export function useRegion(): string {
  const language = useLocale();
  return navigator.languages.find((locale) => locale.split('-')[0] === language) ?? language;
}

/** Some systems report locales such as `en-US@posix`, which `Intl` rejects. */
function isKnown(region: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(region).length > 0;
  } catch {
    return false;
  }
}

/** The locales in which the reader may write numbers: that of the shown language, and the browser's own. */
export const useRegions = (): string[] => [useRegion(), navigator.language].filter(isKnown);
