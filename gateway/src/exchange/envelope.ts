import type { FieldErrors } from '@tutoring/shared/errors';
import { texts } from '../texts.ts';

/** A refusal as services tell it. */
export interface Problem {
  code: string;
  message: string;
  errors?: FieldErrors;
}

/** What of a request decides about the shape of its answer. */
export interface Question {
  method: string;
  /** Without query and trailing slash. */
  path: string;
  /** The client sent `X-Envelope: strict`. */
  strict: boolean;
  /** The path is passed through raw: no client of the original system reads it, so the HTTP line tells the truth. */
  raw: boolean;
}

export interface Answer {
  /** Status of the HTTP line. */
  line: number;
  /** What the body says: `X-Status-Code`. */
  status: number;
  body: unknown;
}

/** Statuses that are on the HTTP line whatever the client asked for. */
const REAL = new Set([400, 405, 408, 413, 415, 422, 429, 431, 500, 502, 503, 504]);
const BILL_REFUSALS = new Set([402, 404, 409]);

/** The exact body and HTTP status of a refusal. */
export function refusal(question: Question, status: number, problem: Problem): Answer {
  const { path, strict, raw } = question;
  const real = strict || raw || REAL.has(status) || problem.code === 'route_not_found';
  const answer = (said: number, body: unknown): Answer => ({ line: real ? status : 200, status: said, body });
  const plain = (said: number, message: unknown) => answer(said, { success: false, statusCode: said, message });

  if (status === 422) return answer(422, { message: problem.message, errors: problem.errors ?? {} });
  if (status === 429) return answer(429, { message: texts.tooManyAttempts });
  if (status === 500) return plain(500, texts.serverError);
  if (status === 403 || (status === 401 && path.startsWith('/api/admin/'))) {
    return answer(403, { success: false, message: texts.unauthorized, statusCode: 403 });
  }
  if (status === 401 && path === '/api/paymentsall') {
    const data = { success: false, message: texts.unauthenticatedPayments, statusCode: 401 };
    return answer(401, { data });
  }
  if (status === 401) return plain(401, texts.unauthenticated);
  if (problem.code !== 'route_not_found') {
    if (path === '/api/call/bill' && BILL_REFUSALS.has(status)) return plain(500, problem.message);
    if (path === '/api/auth/register/verify' && status === 404) return plain(404, { message: problem.message });
  }
  return plain(status, problem.message);
}

const SUFFIX = '}';
const successPrefix = (status: number) => `{"success":true,"statusCode":${status},"data":`;
const OK = { status: 200, prefix: successPrefix(200), suffix: SUFFIX };
const CREATED = { status: 201, prefix: successPrefix(201), suffix: SUFFIX };

/** What goes around the payload of a success; only the creation of an administrator is a 201 inside the body. */
export function success(question: Question, upstreamStatus: number): typeof OK {
  const created = upstreamStatus === 201 && question.method === 'POST' && question.path === '/api/admin/admins';
  return created ? CREATED : OK;
}
