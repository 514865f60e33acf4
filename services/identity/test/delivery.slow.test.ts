import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { CARRIER_MS } from '../src/deadlines.ts';
import { startIdentity } from './identity.ts';

test('the connection to a silent mail server is closed after the time-out', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const service = await startIdentity({ SMTP_URL: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}` });
  try {
    const connected = once(silent, 'connection') as Promise<[Socket]>;
    await service.api.anonymous.post('/api/auth/register', service.submission());
    const [socket] = await connected;
    const since = performance.now();
    await once(socket.resume(), 'close');
    // Rounded, because a busy machine is late.
    expect((performance.now() - since) / CARRIER_MS).toBeCloseTo(1, 0);
  } finally {
    silent.close();
    await service.end();
  }
});
