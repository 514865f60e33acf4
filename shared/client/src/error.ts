/** A refusal: the status in the body, its sentence, and the fields of a 422. */
export class TutoringError extends Error {
  readonly status: number;
  readonly errors: Record<string, string[]>;
  constructor(status: number, message: string, errors: Record<string, string[]>) {
    super(message);
    this.name = 'TutoringError';
    this.status = status;
    this.errors = errors;
  }
}

interface Refusal {
  statusCode?: number;
  message?: string | { message: string };
  errors?: Record<string, string[]>;
}

/** The error for a response that is not a success. `paymentsall` has its refusal of a missing bearer in `data`. */
export function refusalOf(response: Response, body: unknown): TutoringError {
  const { data, ...refusal } = (body ?? {}) as Refusal & { data?: Refusal };
  const { statusCode, message, errors } = refusal.message === undefined ? (data ?? refusal) : refusal;
  const sentence = typeof message === 'object' ? message.message : message;
  return new TutoringError(statusCode ?? response.status, sentence ?? response.statusText, errors ?? {});
}
