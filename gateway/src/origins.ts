/** Schemes whose pages browsers give another origin than the address, or none. */
const WITHOUT_ORIGIN = /^(?:wss?|ftp|file|data|blob|about|javascript|view-source):/;
/** The pages of apps: `capacitor://localhost`. */
const APP = /^[a-z][a-z\d+.-]*:\/\/[a-z\d_-]+(?:\.[a-z\d_-]+)*(?::\d{1,5})?$/;
const ANY_LABEL = /^(https?:\/\/)\*\.(?=localhost\b|[^.]+\.)/;
const SOME_LABEL = 'any';

/** Whether browsers send exactly this text as the origin of some page. */
function isOrigin(text: string): boolean {
  if (/^https?:/.test(text)) return URL.parse(text)?.origin === text;
  return APP.test(text) && !WITHOUT_ORIGIN.test(text);
}

/**
 * What origins are compared with: an origin, or those that differ in their first label (`https://*.example.com`, not
 * `https://*.com`). Undefined when no browser sends such an origin.
 */
export function originPattern(text: string): string | RegExp | undefined {
  if (!text.includes('*')) return isOrigin(text) ? text : undefined;
  const example = text.replace(ANY_LABEL, `$1${SOME_LABEL}.`);
  if (example.includes('*') || !isOrigin(example)) return undefined;
  const [before = '', after = ''] = text.split('*');
  return new RegExp(`^${before}[a-z\\d_-]+${after.replaceAll('.', '\\.')}$`);
}
