/** Schemes whose pages have no origin, or one that differs from the address. */
const WITHOUT_ORIGIN = /^(?:wss?|ftp|file|data|blob|about|javascript|view-source):/;
/** The origin of an app's pages: `capacitor://localhost`. */
const APP_ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[a-z\d_-]+(?:\.[a-z\d_-]+)*(?::\d{1,5})?$/;
const ANY_LABEL = /^(https?:\/\/)\*\.(?=localhost\b|[^.]+\.)/;
const EXAMPLE_LABEL = 'any';

/** Whether browsers can send exactly this text as an origin. */
function isOrigin(text: string): boolean {
  if (/^https?:/.test(text)) return URL.parse(text)?.origin === text;
  return APP_ORIGIN.test(text) && !WITHOUT_ORIGIN.test(text);
}

/**
 * The pattern for allowed origins: an origin, or a regular expression for any first label (`https://*.example.com`, but
 * not `https://*.com`). Undefined when browsers never send such an origin.
 */
export function originPattern(text: string): string | RegExp | undefined {
  if (!text.includes('*')) return isOrigin(text) ? text : undefined;
  const example = text.replace(ANY_LABEL, `$1${EXAMPLE_LABEL}.`);
  if (example.includes('*') || !isOrigin(example)) return undefined;
  const [before = '', after = ''] = text.split('*');
  return new RegExp(`^${before}[a-z\\d_-]+${after.replaceAll('.', '\\.')}$`);
}
