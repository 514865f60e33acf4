import { SERVICES, type ServiceName } from '../process/names.ts';
import { catalogue, CONSUMES, filterOf, hasManyPublishers, resyncSubjectOf, subjectOf, type EventName } from './catalogue.ts';

/*
 * The streams and consumers in NATS: their names and subjects, without the prefix of the system.
 * Each service has a stream of its own for its events, which no other service can fill.
 */

/** The partitions of an outbox: the first tokens of its subjects. */
export const PARTITIONS = ['events', 'live', 'revocations'] as const;

/** The stream with the events of a service. */
export const eventsOf = (service: ServiceName) => `events-${service}` as const;

/**
 * Copies of all services' events, for consumers of the previous release, which had one stream. The stream itself takes
 * only pages that a process of the previous release republishes.
 */
export const PREVIOUS = 'events';

/** `PREVIOUS` comes first: it must give up the subjects of the others before they can be created. */
export const STREAMS = [PREVIOUS, ...SERVICES.map(eventsOf), 'live', 'revocations'] as const;

/** The stream to which a service's relay sends a partition. */
export const streamOf = (partition: string, service: ServiceName) =>
  partition === 'events' ? eventsOf(service) : partition;

const NAMES = Object.keys(catalogue) as EventName[];

const isPublishedBy = (service: ServiceName) => (name: EventName) =>
  catalogue[name].owner === service || hasManyPublishers(name);

/** The subject of an event when this service publishes it. */
const subjectBy = (service: ServiceName, name: EventName) =>
  hasManyPublishers(name) ? `${subjectOf(name)}.${service}` : subjectOf(name);

/** Every subject of a service's stream. */
export const subjectsIn = (service: ServiceName): string[] => [
  ...NAMES.filter(isPublishedBy(service))
    .map((name) => subjectBy(service, name))
    .filter((subject) => subject.startsWith('events.')),
  `resync.*.*.*.${service}`,
];

/** Names of a service's two consumers: for all events, and for pages that are published again for this service only. */
export const consumersOf = (service: string) => [service, `${service}-resync`] as const;

export interface ConsumerOf {
  stream: (typeof STREAMS)[number];
  consumer: string;
  subjects: string[];
}

/** The consumers through which a service receives these events: of new events, and of republished pages. */
export function consumersFor(service: ServiceName, names: EventName[]): Record<'events' | 'pages', ConsumerOf[]> {
  const [main, resync] = consumersOf(service);
  const inEach = (consumer: string, subjectsBy: (publisher: ServiceName) => string[]) =>
    SERVICES.map((publisher) => ({ stream: eventsOf(publisher), consumer, subjects: subjectsBy(publisher) })).filter(
      ({ subjects }) => subjects.length > 0,
    );
  const published = (publisher: ServiceName) => names.filter(isPublishedBy(publisher));
  // A service republishes its dead letters itself.
  const republished = (publisher: ServiceName) =>
    names.filter((name) => publisher === service || catalogue[name].owner === publisher);
  return {
    events: inEach(main, (publisher) => published(publisher).map((name) => subjectBy(publisher, name))),
    pages: [
      ...inEach(resync, (publisher) =>
        republished(publisher).map((name) => resyncSubjectOf(name, service, publisher)),
      ),
      { stream: PREVIOUS, consumer: resync, subjects: names.map((name) => resyncSubjectOf(name, service)) },
    ],
  };
}

/** Every consumer of the system, also those of `PREVIOUS` that only the previous release reads. */
export const allConsumers = (): ConsumerOf[] =>
  SERVICES.flatMap((service) => {
    const names = CONSUMES[service];
    const { events, pages } = consumersFor(service, names);
    return [...events, ...pages, { stream: PREVIOUS, consumer: service, subjects: names.map(filterOf) }];
  });
