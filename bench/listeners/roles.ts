import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { bearer, parseBearer, secretOf } from '@tutoring/shared/kit/identity/bearer';
import { parseConfig } from '@tutoring/shared/kit/process/config';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { testKeys } from '@tutoring/shared/testing/keys';
import { startGateway } from '../../gateway/src/app.ts';
import { gatewayConfig } from '../../gateway/src/config.ts';

/** Child processes of the benchmark `listeners`: they report their address, then answer commands. */

export const childArgs = (role: string, env: Record<string, string>) => [
  'listeners',
  ...['--role', role, '--env', JSON.stringify(env)],
];

interface Role {
  url?: string;
  answer(command: string): Promise<object> | object;
}

const OPENING_AT_ONCE = 100;

const roles: Record<string, (env: Record<string, string>) => Promise<Role>> = {
  identity: async () => {
    const totals = { requests: 0, tokens: 0 };
    const holderOf = (token: string) => {
      const id = parseBearer(token)?.id ?? 0;
      const platform = id % 10 === 0 ? 'teacher' : 'student';
      return { caller: { kind: 'user', id, platform, tokenId: id }, expires_at: '2099-01-01T00:00:00.000000Z' };
    };
    const server = createServer({ keepAliveTimeout: 75_000 }, (req, res) => {
      let text = '';
      req.on('data', (piece: Buffer) => (text += piece.toString()));
      req.on('end', () => {
        if (req.method !== 'POST') return res.end('{}');
        const { token, tokens } = JSON.parse(text) as { token?: string; tokens?: string[] };
        totals.requests += 1;
        totals.tokens += tokens?.length ?? 1;
        res.setHeader('content-type', 'application/json');
        return res.end(JSON.stringify(tokens ? { holders: tokens.map(holderOf) } : holderOf(token ?? '')));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      answer: () => {
        const counts = { ...totals };
        Object.assign(totals, { requests: 0, tokens: 0 });
        return counts;
      },
    };
  },
  gateway: async ({ identity = '', nats = '' }) => {
    // Hides the limit of open files: here nearly all of them may be streams, in production other requests need some.
    Object.assign(process.report, { getReport: () => ({}) });
    const services = Object.fromEntries(
      ['IDENTITY', 'WALLET', 'MESSAGING', 'CALLS'].map((name) => [`${name}_URL`, identity]),
    );
    const config = parseConfig(gatewayConfig, {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      PUBLIC_URL: 'http://127.0.0.1',
      NATS_URL: nats,
      NATS_LIVE_BYTES: '1073741824',
      NATS_EVENTS_BYTES: '1073741824',
      ...testKeys('gateway'),
      ...services,
      API_RATE_LIMIT: '1000000000',
      MAX_IDLE_PER_NETWORK: '1000000',
    });
    const { url } = await startGateway(config, createLogger('gateway', 'warn'));
    return {
      url,
      answer: (command) => {
        // Frees the space that the heap keeps after many streams were opened.
        if (command === 'collect') global.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
        const { user, system } = process.cpuUsage();
        const { rss, heapUsed } = process.memoryUsage();
        return { cpu: (user + system) / 1_000, rss, heap: heapUsed };
      },
    };
  },
  clients: async ({ gateway = '', first = '0' }) => {
    const { port } = new URL(gateway);
    const sockets: Socket[] = [];
    /** Resolves with the first bytes: true if the stream has begun. */
    const open = (id: number) =>
      new Promise<boolean>((resolve) => {
        // From many addresses, because the ports of an address are limited.
        const from = { host: '127.0.0.1', localAddress: `127.0.0.${2 + (id % 50)}` };
        const socket = connect({ port: Number(port), ...from }, () =>
          socket.write(
            `GET /api/events HTTP/1.1\r\nhost: api.example.com\r\nauthorization: Bearer ${bearer(id, secretOf('b'.repeat(40)))}\r\n` +
              'accept: text/event-stream\r\naccept-language: fr-FR,fr;q=0.9\r\ncache-control: no-store\r\n' +
              'user-agent: TutoringApp/4.2 (Android 15; Pixel 9)\r\n\r\n',
          ),
        );
        socket.once('data', (piece: Buffer) => resolve(piece.toString().startsWith('HTTP/1.1 200')));
        socket.on('data', () => undefined);
        socket.on('error', () => resolve(false));
        sockets.push(socket);
      });
    let last = Number(first);
    return {
      answer: async (command) => {
        if (command === 'close') for (const socket of sockets.splice(0)) socket.destroy();
        if (command === 'close') return {};
        const upTo = last + Number(command.split(' ')[1]);
        let opened = 0;
        while (last < upTo) {
          const some = Array.from({ length: Math.min(OPENING_AT_ONCE, upTo - last) }, () => open((last += 1)));
          opened += (await Promise.all(some)).filter(Boolean).length;
        }
        return { open: opened };
      },
    };
  },
};

export async function runRole(args: string[]): Promise<void> {
  const [role = '', env = '{}'] = [args[args.indexOf('--role') + 1], args[args.indexOf('--env') + 1]];
  const played = await roles[role]?.(JSON.parse(env) as Record<string, string>);
  process.on('message', (command: string) => {
    void Promise.resolve(played?.answer(command)).then((answer) => process.send?.(answer));
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.({ url: played?.url });
}
