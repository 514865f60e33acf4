import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A way to PostgreSQL that can cut a connection at the worst moment: `before` the armed statement reaches the server, or
 * `after` the server has done it, so that nobody hears the answer.
 */
export async function startCutProxy(target: { host: string; port: number }) {
  const state: { armed?: { statement: RegExp; when: 'before' | 'after' } | undefined; cuts: number } = { cuts: 0 };
  const open = new Set<Socket>();

  const server = createServer((client) => {
    const upstream = connect(target);
    let cutting = false;
    const destroy = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', destroy).on('close', () => {
        open.delete(socket);
        destroy();
      });
    }
    client.on('data', (chunk: Buffer) => {
      if (state.armed?.statement.test(chunk.toString('latin1'))) {
        const { when } = state.armed;
        state.armed = undefined;
        state.cuts += 1;
        if (when === 'before') return destroy();
        cutting = true;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => (cutting ? destroy() : client.write(chunk)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    port: (server.address() as AddressInfo).port,
    arm: (statement: RegExp, when: 'before' | 'after') => void (state.armed = { statement, when }),
    get cuts() {
      return state.cuts;
    },
    stop: () => {
      for (const socket of open) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
