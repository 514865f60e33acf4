/*
 * The fields of an error that may be logged or traced. Other fields may contain secrets or personal data: parameters of
 * statements, rows that violate a constraint, connections with their keys.
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

/** Most nested causes, and most errors of an AggregateError, that are reported. */
const DEPTH = 5;

/** SQLSTATEs of data exceptions, whose messages quote values. */
const QUOTES_DATA = /^22/;
const ADDRESS = /[^\s<>"'()/@,;:=]+@[^\s<>"'()/,;]+/g;
const PHONE_NUMBER = /\+\d[\d -]{5,}\d/g;
const REDACTED = '[redacted]';

/** `issues`: of a ZodError. */
type Fields = Partial<Record<'name' | 'message' | 'code' | 'stack' | 'cause' | 'errors' | 'issues', unknown>>;

/** V8 quotes invalid JSON, and PostgreSQL quotes invalid values. */
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

/** The stack frames only, because a stack begins with the message. */
function framesOf({ stack, message }: Fields): string {
  if (typeof stack !== 'string') return '';
  const lines = (typeof message === 'string' ? stack.replace(message, '') : stack).split('\n');
  return lines.filter((line) => /^\s+at .*[:)]/.test(line)).join('\n');
}

const typeOf = (thrown: unknown) =>
  typeof thrown === 'object' && thrown !== null ? (thrown.constructor?.name ?? 'Object') : typeof thrown;

/**
 * Reports type, message, code, stack and causes of an error. Removes quoted values, e-mail addresses and phone numbers
 * from messages. Of a thrown value that is not an error only the type is reported.
 */
export function reportError(thrown: unknown, depth = DEPTH): ErrorReport {
  if (!Error.isError(thrown)) return { type: typeOf(thrown) };
  const { name, message, code, stack, cause, errors, issues } = thrown as Fields;
  return {
    type: String(name),
    message: messageOf({ name, message, code, issues }),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    stack: framesOf({ stack, message }),
    ...(cause !== undefined && depth > 0 && { cause: reportError(cause, depth - 1) }),
    ...(Array.isArray(errors) &&
      depth > 0 && { errors: errors.slice(0, DEPTH).map((nested: unknown) => reportError(nested, depth - 1)) }),
  };
}
