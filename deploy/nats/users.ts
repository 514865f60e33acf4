import { topology } from '@tutoring/shared/contract/bus';
import { STORED_LIVE } from '@tutoring/shared/kit/events/bus';
import { resyncSubjectOf } from '@tutoring/shared/kit/events/catalogue';
import { consumersOf, eventsOf, PREVIOUS, type ConsumerOf } from '@tutoring/shared/kit/events/streams';
import { catalogue, CONSUMES, hasManyPublishers, subjectOf, type EventName } from '@tutoring/shared/contract/events';
import { TRANSIENT_ADDRESS } from '@tutoring/shared/contract/desk';
import { liveEvents } from '@tutoring/shared/contract/live-events';
import { PROCESSES, type ProcessName, type ServiceName } from '@tutoring/shared/contract/names';
import { stringify } from 'yaml';

/*
 * Permissions in NATS, derived from the catalogue of events. Each process has its own account; its rights are the
 * imports from the account with the streams. Publish permissions within one account would not suffice: the server sends
 * a reply, with its own rights, to any reply subject that a request names. With accounts the reply stays in the account
 * of the requester.
 */

/** `operator` creates the streams and consumers, and is for people; no serving process has its password. */
export const USERS = [...PROCESSES, 'operator'] as const;
export type UserName = (typeof USERS)[number];

export const passwordVariable = (user: UserName) => `NATS_${user.toUpperCase()}_PASSWORD`;

const NAMES = Object.keys(catalogue) as EventName[];
/** The service that publishes `desk.presence` itself. */
const TRANSIENT_BY: ServiceName = liveEvents['desk.presence'].owner;

/** Subjects that a service may publish to, without the prefix of the system. */
function publishedBy(service: ServiceName): string[] {
  const own = NAMES.filter((name) => catalogue[name].owner === service);
  const isLive = Object.values(liveEvents).some(({ owner }) => owner === service);
  const all = [
    ...own.map(subjectOf),
    ...NAMES.filter(hasManyPublishers).map((name) => `${subjectOf(name)}.${service}`),
    ...(isLive ? [`live.user.*.*.${service}`, `live.admins.${service}`] : []),
    ...(service === TRANSIENT_BY ? [`live.${TRANSIENT_ADDRESS}.${service}`] : []),
    // A hint that is published before the event.
    ...(service === 'identity' ? ['hints.tokens.revoked'] : []),
    // `events resync` publishes a service's own nouns to any consumer, `events retry` its dead letters to itself.
    // The subjects without a publisher are those of the previous release.
    ...[service, undefined].flatMap((publisher) => [
      ...own.filter((name) => catalogue[name].kind === 'snapshot').map((name) => resyncSubjectOf(name, '*', publisher)),
      ...CONSUMES[service].map((name) => resyncSubjectOf(name, service, publisher)),
    ]),
  ];
  return [...new Set(all)];
}

/** Imports of a process from the account with the streams: `services` it may publish to, `streams` it receives. */
function rightsOf(name: ProcessName, prefix: string) {
  const subject = (text: string) => `${prefix}.${text}`;
  const api = (request: string, stream: string, rest = '') => `$JS.API.${request}.${prefix}-${stream}${rest}`;
  // Without `$JS.API.INFO` the server answers every request of an account without streams with an error.
  const every = ['$JS.API.INFO', ...topology.streams.map((stream) => api('STREAM.INFO', stream))];
  if (name === 'gateway') {
    const services = [...every, api('STREAM.MSG.GET', 'live'), api('DIRECT.GET', 'live')];
    const stored = [`${STORED_LIVE}.>`, 'events.tokens.revoked'];
    // From identity's account: a message published to another account is delivered only in that account.
    const hints = ['hints.tokens.revoked', 'revocations.tokens.revoked'];
    const from = (account: string) => (text: string) => ({ account, subject: subject(text) });
    return { services, streams: [...stored.map(from(prefix)), ...hints.map(from(`${prefix}-identity`))] };
  }
  const isOwn = ({ consumer }: ConsumerOf) => consumersOf(name).some((own) => own === consumer);
  const own = topology
    .allConsumers()
    .filter(isOwn)
    .flatMap(({ stream, consumer }) => [
      ...['MSG.NEXT', 'RESET'].map((request) => api(`CONSUMER.${request}`, stream, `.${prefix}-${consumer}`)),
      `$JS.ACK.${prefix}-${stream}.${prefix}-${consumer}.>`,
    ]);
  // Positions of consumers: after a loss of messages the relay waits until none of its stream is beyond the end. The
  // relay of the previous release looks at all consumers of `PREVIOUS`.
  const isWatched = ({ stream }: ConsumerOf) => stream === eventsOf(name) || stream === PREVIOUS;
  every.push(
    ...topology
      .allConsumers()
      .filter((each) => isOwn(each) || isWatched(each))
      .map(({ stream, consumer }) => api('CONSUMER.INFO', stream, `.${prefix}-${consumer}`)),
  );
  // Its replicas share what no database keeps.
  const transient = subject(`${STORED_LIVE}.${TRANSIENT_ADDRESS}.${name}`);
  const streams = name === TRANSIENT_BY ? [{ account: prefix, subject: transient }] : [];
  return { services: [...publishedBy(name).map(subject), ...every, ...own], streams };
}

/** Requests that get several replies. */
const MULTI_RESPONSE = ['$JS.API.CONSUMER.MSG.NEXT.>', '$JS.API.DIRECT.GET.>'];

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
      ...MULTI_RESPONSE.map((service) => ({ service, response_type: 'stream' })),
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
    // Replicas share an account: none may publish to the others on the subjects that it imports.
    const permissions = streams.length > 0 && {
      permissions: { publish: { deny: streams.map(({ subject }) => subject) } },
    };
    return [`${prefix}-${name}`, { users: [{ ...user(name), ...permissions }], imports, ...exports }] as const;
  });
  return { [prefix]: owner, ...Object.fromEntries(own) };
};

const COMMENT = '# Generated by `npm run nats-users` from the catalogue of events (deploy/nats/users.ts); do not edit.';

/** Text of nats-users.conf; passwords come from the environment of the server. */
export function configOf(prefix: string): string {
  const text = JSON.stringify(
    accounts(prefix, (user) => `$${passwordVariable(user)}`),
    null,
    2,
  );
  // NATS reads JSON, but a variable in quotes would be plain text. Imports get one line each.
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
