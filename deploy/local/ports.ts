import { createServer } from 'node:net';
import { UserError } from './user-error.ts';

/** Below the ephemeral ports of outgoing connections, so that a free port stays free until it is used. */
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** Resolves to undefined if the port is free, else to the error code (EADDRINUSE, EACCES). */
function problemWith(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Times a process id: processes that start one after the other begin to search far apart, and no two at the same port. */
const APART = 7_417;
let next = LOWEST + ((process.pid * APART) % (HIGHEST - LOWEST));

/**
 * Keeps a port for this process until it ends, so that no other search finds or probes it while its server restarts.
 * Returns false if another process has it. The mark is a name that only Linux has; elsewhere ports are not kept.
 */
function keep(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return Promise.resolve(true);
  return new Promise((resolve) => {
    const mark = createServer().unref();
    mark.once('error', () => resolve(false));
    mark.listen(`\0tutoring-port-${port}`, () => resolve(true));
  });
}

/** A TCP port on 127.0.0.1 that is free and that no other process gets; does not return the same port again. */
export async function freePort(): Promise<number> {
  for (let attempt = LOWEST; attempt < HIGHEST; attempt += 1) {
    const port = next;
    next = port + 1 < HIGHEST ? port + 1 : LOWEST;
    if ((await keep(port)) && !(await problemWith(port, '127.0.0.1'))) return port;
  }
  throw new Error(`no port from ${LOWEST} to ${HIGHEST - 1} is free`);
}

/**
 * Throws UserError when the port is still in use after `patienceMs`; the message names the `variable` that changes it.
 */
export async function assertPortFree(port: number, host: string, variable: string, patienceMs = 0): Promise<void> {
  const deadline = Date.now() + patienceMs;
  let problem = await problemWith(port, host);
  while (problem === 'EADDRINUSE' && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    problem = await problemWith(port, host);
  }
  if (problem === undefined) return;
  const why = problem === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${problem})`;
  throw new UserError(`Port ${port} ${why}. Choose another one: ${variable}=${await freePort()} npm start`);
}
