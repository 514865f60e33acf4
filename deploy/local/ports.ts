import { createServer } from 'node:net';
import { UserError } from './user-error.ts';

/** Below the ports that systems use for outgoing connections, so that a port stays free between two uses. */
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** Resolves with undefined when the port is free, else with the error's code (EADDRINUSE, EACCES). */
function problemWith(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Processes that look for ports at the same time look in different places: each begins its own so many further. */
const EACH = 32;
let next = LOWEST + ((process.pid * EACH) % (HIGHEST - LOWEST));

/** A TCP port nobody listens on at 127.0.0.1; this process does not soon get the same one again. */
export async function freePort(): Promise<number> {
  for (let attempt = LOWEST; attempt < HIGHEST; attempt += 1) {
    const port = next;
    next = port + 1 < HIGHEST ? port + 1 : LOWEST;
    if (!(await problemWith(port, '127.0.0.1'))) return port;
  }
  throw new Error('found no free port');
}

/**
 * Throws UserError when the port is still taken after `patienceMs`; the message says to choose another by `variable`.
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
