import { connect, errors, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node';
import { CONNECT_MS, NATS_PING_MS } from '../process/deadlines.ts';
import { createOutage, type Logger, type Outage } from '../process/logger.ts';

const AGAIN_MS = 250;

/**
 * Client options from NATS_URL. With the scheme `tls` it speaks TLS or not at all: credentials never go to a server
 * without TLS.
 */
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

/** The client does not say why an attempt failed; only a server that answers does. */
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
        logger.warn({ err: status.error }, 'NATS refuses');
      else if (status.type === 'error') outage.failed((refusal = status.error));
      else if (status.type !== 'ping') logger.debug({ status: status.type }, 'nats');
    }
  })();
  return { isConnected: () => connected, reconnects: () => reconnects };
}

/** Waits for a server that is not there yet or refuses, and reconnects forever. */
export async function connectNats({ url, name, logger }: { url: string; name: string; logger: Logger }) {
  const outage = createOutage(logger, { server: 'NATS' });
  const options: ConnectionOptions = {
    ...addressOf(url),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: AGAIN_MS,
    reconnectJitter: 100,
    timeout: CONNECT_MS,
    pingInterval: NATS_PING_MS,
    maxPingOut: 2,
    ignoreAuthErrorAbort: true,
    // A stack for each request: 3 % of what a relay under load computes.
    noAsyncTraces: true,
  };
  for (;;) {
    try {
      const connection = await connect(options);
      outage.recovered();
      return { connection, ...watch(connection, outage, logger) };
    } catch (error) {
      outage.failed(error);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}
