import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { plainAddress } from '@tutoring/shared/process/client-network';

/**
 * The client's address as the outermost trusted proxy saw it: `hops` entries of X-Forwarded-For from the right. Entries
 * further left can be forged and are never read.
 */
export function clientAddress(request: IncomingMessage, hops: number): string {
  const peer = plainAddress(request.socket.remoteAddress ?? '');
  const header = request.headers['x-forwarded-for'];
  if (hops === 0 || header === undefined) return peer;
  const chain = (Array.isArray(header) ? header.join(',') : header).split(',');
  const seen = plainAddress((chain[Math.max(0, chain.length - hops)] ?? '').trim());
  return isIP(seen) ? seen : peer;
}
