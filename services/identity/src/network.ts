import type { RequestInfo } from '@tutoring/shared/http/declare/route';

/** The client, as the gateway saw it. */
export interface Client {
  address: string;
  userAgent: string;
}

export const clientFrom = ({ clientAddress, userAgent }: Pick<RequestInfo, 'clientAddress' | 'userAgent'>): Client => ({
  address: clientAddress,
  userAgent,
});
