import type { FieldErrors } from '@tutoring/shared/errors';
import { texts } from '../texts.ts';
import type { Exchange } from './exchange.ts';
import { quirkOf } from './routes.ts';

/** A refusal as services send it. */
export interface Problem {
  code: string;
  message: string;
  errors?: FieldErrors;
}

/** Statuses that are on the HTTP line whatever the client asked for. */
export const REAL = [400, 405, 408, 413, 415, 417, 422, 429, 431, 500, 502, 503, 504];

/** The exact body of a refusal, the status in it and in `X-Status-Code`, and that of the HTTP `line`. */
export function refusal(
  { path, place, strict, language }: Pick<Exchange, 'path' | 'place' | 'strict' | 'language'>,
  status: number,
  problem: Problem,
) {
  const isUnknownRoute = problem.code === 'route_not_found';
  // No client of the original system uses raw paths: there the HTTP line has the real status.
  const isReal = strict || place?.raw || REAL.includes(status) || isUnknownRoute;
  const { bodyStatus = status, shape } = (!isUnknownRoute && quirkOf(path, status, place)) || {};
  const answer = (body: unknown) => ({ line: isReal ? status : 200, status: bodyStatus, body });
  const wording = texts[language];
  const plain = (message: unknown) => answer({ success: false, statusCode: bodyStatus, message });

  if (status === 422) return answer({ message: problem.message, errors: problem.errors ?? {} });
  if (status === 429) return answer({ message: wording.tooManyAttempts });
  if (status === 500) return plain(wording.serverError);
  if (bodyStatus === 403) {
    const message = problem.code === 'second_factor' ? problem.message : wording.unauthorized;
    return answer({ success: false, message, statusCode: 403 });
  }
  if (status === 401 && shape === 'data')
    return answer({ data: { success: false, message: wording.unauthenticatedPayments, statusCode: 401 } });
  if (status === 401) return plain(wording.unauthenticated);
  return plain(shape === 'object' ? { message: problem.message } : problem.message);
}

const around = (status: number) => ({ status, prefix: `{"success":true,"statusCode":${status},"data":`, suffix: '}' });
const OK = around(200);

/** The text around the payload of a success. */
export function success({ path, place }: Pick<Exchange, 'path' | 'place'>, upstreamStatus: number): typeof OK {
  const bodyStatus = upstreamStatus === 200 ? undefined : quirkOf(path, upstreamStatus, place)?.bodyStatus;
  return bodyStatus === undefined ? OK : around(bodyStatus);
}
