import { consumersOf, STORED_LIVE, STREAMS } from '@tutoring/shared/events/bus';
import {
  catalogue,
  CONSUMES,
  hasManyPublishers,
  resyncSubjectOf,
  subjectOf,
  type EventName,
} from '@tutoring/shared/events/catalogue';
import { liveEvents } from '@tutoring/shared/events/live';
import { SERVICES, type ServiceName } from '@tutoring/shared/process/names';
import { stringify } from 'yaml';

/*
 * Rights in NATS, from the catalogue of events. Each process has an account of its own, and may do what that imports from
 * the account with the streams. A right to publish would not hold: the server sends its answer to any subject that a
 * request names for it, with rights of its own; here it ends in the account of who asked.
 */

const PROCESSES = ['gateway', ...SERVICES] as const;

/** `operator` makes the streams and consumers, and is for people; no serving process has its password. */
export const USERS = [...PROCESSES, 'operator'] as const;
export type UserName = (typeof USERS)[number];

export const passwordVariable = (user: UserName) => `NATS_${user.toUpperCase()}_PASSWORD`;

const NAMES = Object.keys(catalogue) as EventName[];

/** Subjects below the system's prefix. */
function publishedBy(service: ServiceName): string[] {
  const own = NAMES.filter((name) => catalogue[name].owner === service);
  const isLive = Object.values(liveEvents).some(({ owner }) => owner === service);
  const all = [
    ...own.map(subjectOf),
    ...NAMES.filter(hasManyPublishers).map((name) => `${subjectOf(name)}.${service}`),
    ...(isLive ? [`live.user.*.*.${service}`, `live.admins.${service}`] : []),
    // The hint before the event.
    ...(service === 'identity' ? ['hints.tokens.revoked'] : []),
    // `events resync` publishes own nouns to any consumer, `events retry` a service's dead letters to itself.
    ...own.filter((name) => catalogue[name].kind === 'snapshot').map((name) => resyncSubjectOf(name, '*')),
    ...CONSUMES[service].map((name) => resyncSubjectOf(name, service)),
  ];
  return [...new Set(all)];
}

/** What a process may do: subjects of the account with the streams that it may publish to, and what it receives. */
function rightsOf(name: (typeof PROCESSES)[number], prefix: string) {
  const subject = (text: string) => `${prefix}.${text}`;
  const api = (request: string, stream: string, rest = '') => `$JS.API.${request}.${prefix}-${stream}${rest}`;
  // Without `$JS.API.INFO` the server itself would answer all requests of an account that has no streams: with an error.
  const every = ['$JS.API.INFO', ...STREAMS.map((stream) => api('STREAM.INFO', stream))];
  if (name === 'gateway') {
    const services = [...every, api('STREAM.MSG.GET', 'live'), api('DIRECT.GET', 'live')];
    const stored = [`${STORED_LIVE}.>`, 'events.tokens.revoked'];
    // From identity's account: NATS passes on what was published to another account to that one alone.
    const hints = ['hints.tokens.revoked', 'revocations.tokens.revoked'];
    const from = (account: string) => (text: string) => ({ account, subject: subject(text) });
    return { services, streams: [...stored.map(from(prefix)), ...hints.map(from(`${prefix}-identity`))] };
  }
  const consumers = consumersOf(name).map((consumer) => `${prefix}-${consumer}`);
  const own = consumers.flatMap((consumer) => [
    ...['MSG.NEXT', 'RESET'].map((request) => api(`CONSUMER.${request}`, 'events', `.${consumer}`)),
    `$JS.ACK.${prefix}-events.${consumer}.>`,
  ]);
  // How far all are: after a loss the relay waits until none is beyond the end.
  every.push(
    ...SERVICES.flatMap(consumersOf).map((consumer) => api('CONSUMER.INFO', 'events', `.${prefix}-${consumer}`)),
  );
  return { services: [...publishedBy(name).map(subject), ...every, ...own], streams: [] };
}

/** Answers to these come in several messages. */
const IN_PARTS = ['$JS.API.CONSUMER.MSG.NEXT.>', '$JS.API.DIRECT.GET.>'];

const accounts = (prefix: string, password: (user: UserName) => string) => {
  const user = (name: UserName) => ({ user: `${prefix}-${name}`, password: password(name) });
  const permissions = { publish: ['$JS.API.>'], subscribe: ['_INBOX.>'] };
  const whole = [
    '$JS.API.INFO',
    '$JS.API.STREAM.>',
    '$JS.API.CONSUMER.INFO.>',
    '$JS.API.CONSUMER.RESET.>',
    '$JS.ACK.>',
    `${prefix}.>`,
  ];
  const owner = {
    jetstream: 'enabled',
    users: [{ ...user('operator'), permissions }],
    exports: [
      ...whole.map((service) => ({ service })),
      ...IN_PARTS.map((service) => ({ service, response_type: 'stream' })),
      { stream: `${prefix}.>` },
    ],
  };
  const own = PROCESSES.map((name) => {
    const { services, streams } = rightsOf(name, prefix);
    const imports = [
      ...services.map((subject) => ({ service: { account: prefix, subject } })),
      ...streams.map((stream) => ({ stream })),
    ];
    const exports = name === 'identity' && { exports: [{ stream: `${prefix}.*.tokens.revoked` }] };
    // Replicas share their account: none may pretend to the others to be who they receive from.
    const permissions = streams.length > 0 && {
      permissions: { publish: { deny: streams.map(({ subject }) => subject) } },
    };
    return [`${prefix}-${name}`, { users: [{ ...user(name), ...permissions }], imports, ...exports }] as const;
  });
  return { [prefix]: owner, ...Object.fromEntries(own) };
};

const COMMENT = '# Made by `npm run nats-users` out of the catalogue of events (deploy/nats/users.ts); do not edit.';

/** For nats.conf: passwords come from the server's environment. */
export function configOf(prefix: string): string {
  const text = JSON.stringify(
    accounts(prefix, (user) => `$${passwordVariable(user)}`),
    null,
    2,
  );
  // NATS reads JSON; a variable in quotes would be plain text. An import is a line.
  const readable = text
    .replaceAll(/"(\$NATS_\w+)"/g, '$1')
    .replaceAll(/\{\s+"account": (.*?),\s+"subject": (.*?)\s+\}/g, '{ "account": $1, "subject": $2 }')
    .replaceAll(/\{\s+("s\w+": .*)\s+\}/g, '{ $1 }');
  return `${COMMENT}\naccounts: ${readable}\n`;
}

/** Values of the official NATS Helm chart. */
export function valuesOf(prefix: string): string {
  const env = USERS.map((user) => [
    passwordVariable(user),
    { valueFrom: { secretKeyRef: { name: 'nats-users', key: user } } },
  ]);
  const values = {
    config: { merge: { accounts: accounts(prefix, (user) => `<< $${passwordVariable(user)} >>`) } },
    container: { env: Object.fromEntries(env) as object },
  };
  return `${COMMENT}\n${stringify(values, { lineWidth: 0, singleQuote: true })}`;
}
