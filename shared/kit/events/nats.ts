import { connect, errors, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node';
import { CONNECT_MS, NATS_PING_MS } from '../process/deadlines.ts';
import { createOutage, type Logger, type Outage } from '../process/logger.ts';

const RECONNECT_MS = 250;

/** Client options from NATS_URL. The scheme `tls` requires TLS, so credentials are never sent in plain text. */
function addressOf(text: string): ConnectionOptions {
  const [first = '', ...others] = text.split(',');
  const url = new URL(first);
  const [user, pass] = [url.username, url.password].map(decodeURIComponent);
  return {
    servers: [url.host, ...others],
    ...(url.protocol === 'tls:' && { tls: {} }),
    ...(pass && { user, pass }),
    ...(user && !pass && { token: user }),
  };
}

/** Reports outages. The client gives no reason when it cannot connect; only an error from a server has one. */
function watch(connection: NatsConnection, outage: Outage, logger: Logger) {
  let connected = true;
  let reconnects = 0;
  void (async () => {
    let refusal: Error | undefined;
    const lost = new Error('the connection was lost');
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') connected = false;
      if (status.type === 'reconnect') {
        connected = true;
        reconnects += 1;
        outage.recovered();
      } else if (status.type === 'reconnecting') {
        outage.failed(refusal ?? lost);
        refusal = undefined;
      } else if (status.type === 'error' && status.error instanceof errors.PermissionViolationError)
        logger.warn({ err: status.error }, 'NATS denied a permission to this process');
      else if (status.type === 'error') outage.failed((refusal = status.error));
      else if (status.type !== 'ping') logger.debug({ status: status.type }, 'nats');
    }
  })();
  return { isConnected: () => connected, reconnects: () => reconnects };
}

/** Connects; retries until a server accepts the connection, and reconnects forever. */
export async function connectNats({ url, name, logger }: { url: string; name: string; logger: Logger }) {
  const outage = createOutage(logger, { server: 'NATS' });
  const options: ConnectionOptions = {
    ...addressOf(url),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    reconnectJitter: 100,
    timeout: CONNECT_MS,
    pingInterval: NATS_PING_MS,
    maxPingOut: 2,
    ignoreAuthErrorAbort: true,
    // Stack traces for each request would cost 3 % of the CPU of a relay under load.
    noAsyncTraces: true,
  };
  for (;;) {
    try {
      const connection = await connect(options);
      outage.recovered();
      return { connection, ...watch(connection, outage, logger) };
    } catch (error) {
      outage.failed(error);
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
    }
  }
}
