import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Decides whether a request passes or is cut; a promise delays it. */
type Rule = (path: string) => 'pass' | 'cut' | Promise<'pass' | 'cut'>;

/** Starts a proxy in front of a service, which may start later. `is` decides which requests pass. */
export async function startLine() {
  let target = '';
  let rule: Rule = () => 'pass';
  const asked: string[] = [];

  async function pass(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = req.url ?? '';
    asked.push(path);
    if ((await rule(path)) === 'cut') return void req.socket.destroy();
    const onward = request(`${target}${path}`, { method: req.method ?? 'GET', headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
      answer.once('close', () => answer.complete || res.destroy());
    });
    onward.on('error', () => req.socket.destroy());
    req.pipe(onward);
  }

  const server: Server = createServer((req, res) => void pass(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The requested paths with their queries. */
    asked,
    forwardTo: (url: string) => void (target = url),
    is: (next: Rule) => void (rule = next),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type Line = Awaited<ReturnType<typeof startLine>>;
