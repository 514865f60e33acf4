import { IDENTITY_HEADER, type Caller } from '../kit/identity/auth.ts';
import type { TestSigner } from './keys.ts';

export interface TestResponse {
  status: number;
  headers: Headers;
  /** Untyped: the assertions of a test find a wrong shape. */
  body: ReturnType<typeof JSON.parse>;
  text: string;
}

export interface TestRequest {
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sends a request and reads the answer; parses it if it is JSON. */
export async function send(method: string, url: string, options: TestRequest = {}): Promise<TestResponse> {
  const raw = typeof options.body === 'string' || options.body === undefined;
  const response = await fetch(url, {
    method,
    headers: { ...(options.body !== undefined && { 'content-type': 'application/json' }), ...options.headers },
    ...(options.body !== undefined && { body: raw ? (options.body as string) : JSON.stringify(options.body) }),
  });
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, headers: response.headers, body, text };
}

/** A client that calls a service like the gateway, with signed identities. */
export function signedClient(baseUrl: string, signer: TestSigner) {
  const as = (caller: Caller) => {
    const call =
      (method: string) =>
      (path: string, body?: unknown, headers: Record<string, string> = {}) =>
        send(method, `${baseUrl}${path}`, { body, headers: { [IDENTITY_HEADER]: signer.sign(caller), ...headers } });
    return {
      get: (path: string, headers?: Record<string, string>) => call('GET')(path, undefined, headers),
      post: call('POST'),
      put: call('PUT'),
      delete: call('DELETE'),
    };
  };
  return {
    as,
    anonymous: as({ kind: 'anonymous' }),
    student: (id: number) => as({ kind: 'user', id, platform: 'student', tokenId: id }),
    teacher: (id: number) => as({ kind: 'user', id, platform: 'teacher', tokenId: id }),
    admin: (level: 'su' | 'default' = 'default', id = 900) =>
      as({ kind: 'admin', id, name: 'Ada Min', level, tokenId: id }),
    service: (name: string) => as({ kind: 'service', name }),
  };
}
