import { isPublic, type Route } from '@tutoring/shared/kit/http/declare/route';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import type { Right } from '@tutoring/shared/contract/rights';
import type { TestService } from '@tutoring/shared/testing/service';
import { startLessons } from '../../services/calls/test/lessons.ts';
import { startIdentity } from '../../services/identity/test/identity.ts';
import { startMessaging } from '../../services/messaging/test/kit.ts';
import { startWallet } from '../../services/wallet/test/wallet.ts';

/** The four services, and their routes as administrators call them. */
export async function startServices() {
  const identity = await startIdentity();
  const wallet = await startWallet();
  const messaging = await startMessaging();
  const calls = await startLessons();
  const services: Record<string, TestService> = {
    identity,
    wallet: wallet.service,
    messaging: messaging.service,
    calls: calls.service,
  };
  return {
    identity,
    wallet,
    messaging,
    calls,
    services,
    /** Every route that administrators may call, with its service. */
    routes: () =>
      Object.entries(services).flatMap(([name, service]) =>
        service.service.parts.routes
          .filter((spec) => isPublic(spec) && ['admin', 'su', 'member'].includes(spec.auth))
          .map((spec) => ({ name, service, spec })),
      ),
    stop: () => Promise.all([identity.end(), wallet.stop(), messaging.stop(), calls.stop()]),
  };
}

export type Services = Awaited<ReturnType<typeof startServices>>;

/** `get admin/users/{id}` */
export const endpoint = ({ method, path }: Route) => `${method} ${path.replace(/^\/api\//, '')}`;

export const withRights = (rights: readonly Right[], id = 900): AdminCaller => ({
  kind: 'admin',
  id,
  name: 'Ada',
  level: 'default',
  tokenId: 1,
  rights: [...rights],
});

export const request = (service: TestService, caller: AdminCaller, spec: Route, path: string, body: object = {}) => {
  const { get, ...others } = service.api.as(caller);
  return spec.method === 'get' ? get(path) : others[spec.method](path, body);
};
