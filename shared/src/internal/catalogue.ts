import type { ServiceName } from '../events/catalogue.ts';
import type { Method } from '../http/route.ts';

/** The processes of the system: each has a signing key of its own. */
export type ProcessName = ServiceName | 'gateway';

export interface Command {
  owner: ServiceName;
  method: Method;
  /** As its route declares it. */
  path: string;
  callers: readonly ProcessName[];
}

/** Every command that one process sends another, and who may: a `service` route that is not here cannot be mounted. */
export const commands: Record<string, Command> = {
  'token.verify': { owner: 'identity', method: 'post', path: '/internal/tokens/verify', callers: ['gateway'] },
  'user.read': {
    owner: 'identity',
    method: 'get',
    path: '/internal/users/{id}',
    callers: ['wallet', 'messaging', 'calls'],
  },
  'plan.read': { owner: 'identity', method: 'get', path: '/internal/plans/{id}', callers: ['calls'] },

  'balance.read': {
    owner: 'wallet',
    method: 'get',
    path: '/internal/balances/{user_id}',
    callers: ['identity', 'messaging', 'calls'],
  },
  'hold.place': { owner: 'wallet', method: 'post', path: '/internal/holds', callers: ['calls'] },
  'hold.release': { owner: 'wallet', method: 'post', path: '/internal/holds/release', callers: ['calls'] },
  'charge.make': { owner: 'wallet', method: 'post', path: '/internal/charges', callers: ['calls'] },
  'charge.make-batch': { owner: 'wallet', method: 'post', path: '/internal/charges/batch', callers: ['calls'] },
  'charge.read': { owner: 'wallet', method: 'get', path: '/internal/charges/{reference}', callers: ['calls'] },
  'obligations.read': {
    owner: 'wallet',
    method: 'get',
    path: '/internal/users/{id}/obligations',
    callers: ['identity'],
  },
  'obligations.check': {
    owner: 'wallet',
    method: 'post',
    path: '/internal/users/{id}/obligations',
    callers: ['identity'],
  },
  'balance.forfeit': { owner: 'wallet', method: 'post', path: '/internal/users/{id}/forfeit', callers: ['identity'] },
  'wallet-stats.read': { owner: 'wallet', method: 'get', path: '/internal/stats', callers: ['identity'] },

  'messaging-stats.read': { owner: 'messaging', method: 'get', path: '/internal/stats', callers: ['identity'] },

  'room-token.read': { owner: 'calls', method: 'get', path: '/internal/rooms/{uuid}/token', callers: ['messaging'] },
  'live-call.read': { owner: 'calls', method: 'get', path: '/internal/users/{id}/live-call', callers: ['identity'] },
  'calls-stats.read': { owner: 'calls', method: 'get', path: '/internal/stats', callers: ['identity'] },
};

/** Who may send what the route takes; undefined when it is no command of that service. */
export const callersOf = (owner: string, route: { method: Method; path: string }) =>
  Object.values(commands).find(
    (command) => command.owner === owner && command.method === route.method && command.path === route.path,
  )?.callers;
