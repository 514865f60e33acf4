import { consumersOf, STREAMS } from '@tutoring/shared/events/bus';
import {
  catalogue,
  CONSUMES,
  isToldByAll,
  pagesSubjectOf,
  resyncSubjectOf,
  subjectOf,
  type EventName,
} from '@tutoring/shared/events/catalogue';
import { liveEvents } from '@tutoring/shared/events/live';
import { SERVICES, type ServiceName } from '@tutoring/shared/process-names';
import { stringify } from 'yaml';

/*
 * Rights in NATS: a user for each process, from the catalogue of events. A service may only publish its own events and
 * read from its own consumers; only identity makes and changes streams and consumers.
 */

/** `operator` is for people and for tools that make streams in production; no process has its password. */
export const USERS = ['gateway', ...SERVICES, 'operator'] as const;
export type UserName = (typeof USERS)[number];

export const passwordVariable = (user: UserName) => `NATS_${user.toUpperCase()}_PASSWORD`;

const NAMES = Object.keys(catalogue) as EventName[];

/** Subjects below the system's prefix. */
function toldBy(service: ServiceName): string[] {
  const own = NAMES.filter((name) => catalogue[name].owner === service);
  const isLive = Object.values(liveEvents).some(({ owner }) => owner === service);
  const all = [
    ...own.map(subjectOf),
    ...NAMES.filter(isToldByAll).map((name) => `${subjectOf(name)}.${service}`),
    ...(isLive ? ['live.user.*.*', 'live.admins'] : []),
    // The hint before the event, and the subject that the previous release wrote to the outbox.
    ...(service === 'identity' ? ['hints.tokens.revoked', 'events.tokens.revoked'] : []),
    // `events resync` publishes own nouns to any consumer, `events retry` a service's dead letters to itself.
    ...own
      .filter((name) => catalogue[name].kind === 'snapshot')
      .flatMap((name) => [resyncSubjectOf(name, '*'), pagesSubjectOf(name, '*')]),
    ...CONSUMES[service].map((name) => resyncSubjectOf(name, service)),
  ];
  return [...new Set(all)];
}

function permissionsOf(user: UserName, prefix: string): { publish: string[]; subscribe: string[] } {
  const subject = (name: string) => `${prefix}.${name}`;
  const api = (request: string, stream: string, rest = '') => `$JS.API.${request}.${prefix}-${stream}${rest}`;
  const every = [...STREAMS].map((stream) => api('STREAM.INFO', stream));
  const inbox = `_INBOX_${prefix}-${user}.>`;
  // People's tools use the standard inbox.
  if (user === 'operator') return { publish: ['$JS.API.>'], subscribe: [inbox, '_INBOX.>'] };
  if (user === 'gateway') {
    const publish = [
      ...every,
      api('STREAM.MSG.GET', 'live'),
      api('DIRECT.GET', 'live'),
      api('CONSUMER.CREATE', 'live', `.*.${subject('live.>')}`),
      ...['INFO', 'DELETE', 'MSG.NEXT'].map((request) => api(`CONSUMER.${request}`, 'live', '.*')),
    ];
    const heard = ['hints', 'revocations', 'events'].map((kind) => subject(`${kind}.tokens.revoked`));
    return { publish, subscribe: [inbox, ...heard] };
  }
  const own = consumersOf(user).map((consumer) => `${prefix}-${consumer}`);
  const publish = [
    ...toldBy(user).map(subject),
    ...every,
    ...own.flatMap((consumer) => [
      ...['INFO', 'MSG.NEXT'].map((request) => api(`CONSUMER.${request}`, 'events', `.${consumer}`)),
      `$JS.ACK.${prefix}-events.${consumer}.>`,
    ]),
  ];
  if (user === 'identity') {
    for (const stream of STREAMS) publish.push(api('STREAM.CREATE', stream), api('STREAM.UPDATE', stream));
    for (const service of SERVICES)
      for (const consumer of consumersOf(service)) {
        if (service !== user) publish.push(api('CONSUMER.INFO', 'events', `.${prefix}-${consumer}`));
        publish.push(api('CONSUMER.DURABLE.CREATE', 'events', `.${prefix}-${consumer}`));
      }
  }
  return { publish, subscribe: [inbox] };
}

const users = (prefix: string, password: (user: UserName) => string) =>
  USERS.map((user) => {
    const { publish, subscribe } = permissionsOf(user, prefix);
    return {
      user: `${prefix}-${user}`,
      password: password(user),
      permissions: { publish: { allow: publish }, subscribe: { allow: subscribe } },
    };
  });

const COMMENT = '# Made by `npm run nats-users` out of the catalogue of events (deploy/nats/users.ts); do not edit.';

/** For nats.conf: passwords come from the server's environment. */
export function configOf(prefix: string): string {
  const text = JSON.stringify(
    users(prefix, (user) => `$${passwordVariable(user)}`),
    null,
    2,
  );
  // NATS reads JSON; a variable in quotes would be plain text.
  return `${COMMENT}\nauthorization: { users: ${text.replaceAll(/"(\$NATS_\w+)"/g, '$1')} }\n`;
}

/** Values of the official NATS Helm chart. */
export function valuesOf(prefix: string): string {
  const env = USERS.map((user) => [
    passwordVariable(user),
    { valueFrom: { secretKeyRef: { name: 'nats-users', key: user } } },
  ]);
  const values = {
    config: { merge: { authorization: { users: users(prefix, (user) => `<< $${passwordVariable(user)} >>`) } } },
    container: { env: Object.fromEntries(env) as object },
  };
  return `${COMMENT}\n${stringify(values, { lineWidth: 0, singleQuote: true })}`;
}
