import { IDENTITY_HEADER, type IdentitySigner } from './auth.ts';
import { currentContext } from './context.ts';
import type { ServiceName } from './events/catalogue.ts';
import type { ProcessName } from './internal/catalogue.ts';
import { SpanKind, currentTraceparent, traced } from './tracing.ts';
import { AppError, HTTP_STATUS, type ErrorCode, type FieldErrors } from './errors.ts';

interface Problem {
  code?: ErrorCode;
  message?: string;
  errors?: FieldErrors;
}

const DEFAULT_TIMEOUT_MS = 2_000;

/** Sends the commands of internal/catalogue.ts to another service, in this process's own name. */
export interface InternalClient {
  /**
   * Answers the payload. Throws the other side's AppError, or `unavailable` when there was no answer in time or the other
   * side refused this process's signature.
   */
  get<T>(path: string, options?: { timeoutMs?: number }): Promise<T>;
  post<T>(path: string, body: unknown, options?: { timeoutMs?: number }): Promise<T>;
}

export function createInternalClient(options: {
  baseUrl: string;
  from: ProcessName;
  to: ServiceName;
  signer: IdentitySigner;
}): InternalClient {
  const identity = options.signer.claim({ kind: 'service', name: options.from }, options.to);
  const request = <T>(method: string, path: string, body: unknown, timeoutMs?: number): Promise<T> =>
    traced(`${method} ${options.baseUrl}`, { kind: SpanKind.CLIENT }, () => send<T>(method, path, body, timeoutMs));

  async function send<T>(method: string, path: string, body: unknown, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<T> {
    const context = currentContext();
    const headers: Record<string, string> = {
      accept: 'application/json',
      [IDENTITY_HEADER]: identity(),
    };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (context) headers['x-request-id'] = context.requestId;
    const traceparent = currentTraceparent() ?? context?.traceparent;
    if (traceparent) headers['traceparent'] = traceparent;
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${options.baseUrl}${path}`, {
        method,
        headers,
        signal: AbortSignal.timeout(timeoutMs),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (cause) {
      throw new AppError('unavailable', 'A service is unavailable. Please try again.', { retryAfter: 1, cause });
    }
    if (response.ok) return JSON.parse(text) as T;
    throw refusal(response.status, text);
  }

  return {
    get: (path, { timeoutMs } = {}) => request('GET', path, undefined, timeoutMs),
    post: (path, body, { timeoutMs } = {}) => request('POST', path, body, timeoutMs),
  };
}

function refusal(status: number, text: string): AppError {
  let problem: Problem = {};
  try {
    problem = JSON.parse(text) as Problem;
  } catch {
    problem = {};
  }
  const code = problem.code !== undefined && problem.code in HTTP_STATUS ? problem.code : undefined;
  if (code === undefined || code === 'identity_refused' || status >= 500)
    return new AppError('unavailable', 'A service is unavailable. Please try again.', { retryAfter: 1 });
  return new AppError(code, problem.message ?? code, problem.errors ? { errors: problem.errors } : {});
}
