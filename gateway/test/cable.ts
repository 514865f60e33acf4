import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy to a server. A test can disconnect it, or freeze it so that neither side notices. */
export async function startCable(targetUrl: string) {
  const target = new URL(targetUrl);
  const pairs = new Set<[Socket, Socket]>();
  let isDisconnected = false;
  let isFrozen = false;
  const server = createServer((near) => {
    if (isDisconnected) {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (piece) => void (!isFrozen && to.write(piece)));
      from.on('error', () => undefined);
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
    };
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const hangUp = () => {
    for (const [near, far] of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    url: url.href.replace(/\/$/, ''),
    disconnect: () => {
      isDisconnected = true;
      hangUp();
    },
    /** Connections stay open; bytes are lost. */
    freeze: () => void (isFrozen = true),
    /** Back to normal; frozen connections are closed. */
    repair: () => {
      isDisconnected = false;
      isFrozen = false;
      hangUp();
    },
    stop: () =>
      new Promise<void>((resolve) => {
        hangUp();
        server.close(() => resolve());
      }),
  };
}
