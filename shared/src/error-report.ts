/*
 * What may be told of an error to a log or a trace: never its other fields, which hold statements' parameters, rows that
 * a constraint refused, connections with their keys, and whatever else a library attaches.
 */

export interface ErrorReport {
  type: string;
  message?: string;
  code?: string | number;
  stack?: string;
  cause?: ErrorReport;
  /** Of an AggregateError. */
  errors?: ErrorReport[];
}

/** How many causes, and how many errors of an AggregateError, are told. */
const DEPTH = 5;

/** SQLSTATEs of data that is wrong. */
const QUOTES_DATA = /^22/;
const ADDRESS = /[^\s<>"'()/@,;:=]+@[^\s<>"'()/,;]+/g;
const PHONE_NUMBER = /\+\d[\d -]{5,}\d/g;
const REDACTED = '[redacted]';

interface Fields {
  name?: unknown;
  message?: unknown;
  code?: unknown;
  stack?: unknown;
  cause?: unknown;
  errors?: unknown;
  /** Of a ZodError. */
  issues?: unknown;
}

/** V8 quotes the text that is no JSON, PostgreSQL the value that it could not read. */
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

/** The places alone: a stack begins with the message. */
function placesOf({ stack, message }: Fields): string {
  if (typeof stack !== 'string') return '';
  const places = (typeof message === 'string' ? stack.replace(message, '') : stack).split('\n');
  return places.filter((line) => /^\s+at .*[:)]/.test(line)).join('\n');
}

const typeOf = (thrown: unknown) =>
  typeof thrown === 'object' && thrown !== null ? (thrown.constructor?.name ?? 'Object') : typeof thrown;

/**
 * Type, message, code, stack and the causes by the same rule. A message loses the values that PostgreSQL, V8 or zod quotes
 * in it, e-mail addresses and phone numbers. Of what is no error only its type is told.
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
