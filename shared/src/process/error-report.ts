/*
 * What a log or a trace may say of an error. Its other fields stay out: they hold statements' parameters, rows that a
 * constraint refused, connections with their keys, and anything else that a library attaches.
 */

interface ErrorReport {
  type: string;
  message?: string;
  code?: string | number;
  stack?: string;
  cause?: ErrorReport;
  /** Errors of an AggregateError. */
  errors?: ErrorReport[];
}

/** How many causes, and how many errors of an AggregateError, are reported. */
const DEPTH = 5;

/** SQLSTATEs of data that is wrong. */
const QUOTES_DATA = /^22/;
const ADDRESS = /[^\s<>"'()/@,;:=]+@[^\s<>"'()/,;]+/g;
const PHONE_NUMBER = /\+\d[\d -]{5,}\d/g;
const REDACTED = '[redacted]';

/** `issues`: of a ZodError. */
type Fields = Partial<Record<'name' | 'message' | 'code' | 'stack' | 'cause' | 'errors' | 'issues', unknown>>;

/** V8 quotes text that is not JSON; PostgreSQL quotes a value that it could not read. */
const quotesData = ({ name, code }: Fields) =>
  name === 'SyntaxError' || (typeof code === 'string' && QUOTES_DATA.test(code));

function messageOf({ message, issues, ...error }: Fields): string {
  if (Array.isArray(issues))
    return issues.map(({ code, path }: { code: string; path: unknown[] }) => `${code} at ${path.join('.')}`).join(', ');
  const text = String(message);
  return (quotesData(error) ? text.replace(/["'`].*$/s, REDACTED) : text)
    .replaceAll(ADDRESS, REDACTED)
    .replaceAll(PHONE_NUMBER, REDACTED);
}

/** Only the places: a stack begins with the message. */
function placesOf({ stack, message }: Fields): string {
  if (typeof stack !== 'string') return '';
  const places = (typeof message === 'string' ? stack.replace(message, '') : stack).split('\n');
  return places.filter((line) => /^\s+at .*[:)]/.test(line)).join('\n');
}

const typeOf = (thrown: unknown) =>
  typeof thrown === 'object' && thrown !== null ? (thrown.constructor?.name ?? 'Object') : typeof thrown;

/**
 * Type, message, code, stack and the causes by the same rule. Removes from messages the values that PostgreSQL, V8 or
 * zod quotes, e-mail addresses and phone numbers. Of a thrown value that is not an error only its type is reported.
 */
export function reportError(thrown: unknown, depth = DEPTH): ErrorReport {
  if (!Error.isError(thrown)) return { type: typeOf(thrown) };
  const { name, message, code, stack, cause, errors, issues } = thrown as Fields;
  return {
    type: String(name),
    message: messageOf({ name, message, code, issues }),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    stack: placesOf({ stack, message }),
    ...(cause !== undefined && depth > 0 && { cause: reportError(cause, depth - 1) }),
    ...(Array.isArray(errors) &&
      depth > 0 && { errors: errors.slice(0, DEPTH).map((one: unknown) => reportError(one, depth - 1)) }),
  };
}
