import type { RequestInfo } from '@tutoring/shared/http/declare/route';

/** The client, as the gateway saw it. */
export type Client = Pick<RequestInfo, 'clientAddress' | 'userAgent'>;
