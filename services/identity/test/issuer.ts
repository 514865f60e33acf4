import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';

export interface LocalServer {
  url: string;
  close(): Promise<void>;
}

/** A local HTTP server. `answer` gets the URL and the body of a POST; it returns the JSON to send, or a Buffer. */
export async function serve(
  answer: (url: URL, sent: unknown) => { status?: number; body: unknown },
): Promise<LocalServer> {
  async function respond(req: IncomingMessage, res: ServerResponse) {
    const sent = req.method === 'POST' ? await json(req) : undefined;
    const { status = 200, body } = answer(new URL(req.url ?? '/', 'http://local'), sent);
    res
      .writeHead(status, { 'content-type': 'application/json' })
      .end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
  }
  const server: Server = createServer((req, res) => void respond(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export interface Claims extends Omit<JWTPayload, 'iat'> {
  email?: string;
  email_verified?: boolean | string | undefined;
  iat?: number | undefined;
}

/** An OpenID Connect issuer with one published key and one unpublished key. */
export async function startIssuer(audience: string) {
  const [published, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(published.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
  const server = await serve(() => ({ body: { keys: [jwk] } }));

  const sign =
    (key: CryptoKey) =>
    (claims: Claims, header: object = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const standard = { iss: server.url, aud: audience, iat: now, exp: now + 300, email_verified: true };
      return new SignJWT({ ...standard, ...claims } as JWTPayload)
        .setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header })
        .sign(key);
    };
  return { ...server, token: sign(published.privateKey), forged: sign(foreign.privateKey) };
}
