import { resyncSubjectOf, subjectsOf, type Messages } from './catalogue.ts';

/*
 * The streams and consumers in NATS: their names and subjects, without the prefix of the system.
 * Each service has a stream of its own for its events, which no other service can fill.
 */

/** The partitions of an outbox: the first tokens of its subjects. */
export const PARTITIONS = ['events', 'live', 'revocations'] as const;

/** The stream with the events of a service. */
export const eventsOf = (service: string) => `events-${service}`;

/**
 * Copies of all services' events, for consumers of the previous release, which had one stream. The stream itself takes
 * only pages that a process of the previous release republishes.
 */
export const PREVIOUS = 'events';

/** The stream to which a service's relay sends a partition. */
export const streamOf = (partition: string, service: string) =>
  partition === 'events' ? eventsOf(service) : partition;

/** Names of a service's two consumers: for all events, and for pages that are published again for this service only. */
export const consumersOf = (service: string) => [service, `${service}-resync`] as const;

export interface ConsumerOf {
  stream: string;
  consumer: string;
  subjects: string[];
}

/** The streams and consumers of a system. */
export function topologyOf({ services, events: catalogue, consumes }: Messages) {
  const { filterOf, hasManyPublishers, subjectOf } = subjectsOf(catalogue);

  const isPublishedBy = (service: string) => (name: string) =>
    catalogue[name]?.owner === service || hasManyPublishers(name);

  /** The subject of an event when this service publishes it. */
  const subjectBy = (service: string, name: string) =>
    hasManyPublishers(name) ? `${subjectOf(name)}.${service}` : subjectOf(name);

  /** The consumers through which a service receives these events: of new events, and of republished pages. */
  function consumersFor(service: string, names: readonly string[]): Record<'events' | 'pages', ConsumerOf[]> {
    const [main, resync] = consumersOf(service);
    const inEach = (consumer: string, subjectsBy: (publisher: string) => string[]) =>
      services
        .map((publisher) => ({ stream: eventsOf(publisher), consumer, subjects: subjectsBy(publisher) }))
        .filter(({ subjects }) => subjects.length > 0);
    const published = (publisher: string) => names.filter(isPublishedBy(publisher));
    // A service republishes its dead letters itself.
    const republished = (publisher: string) =>
      names.filter((name) => publisher === service || catalogue[name]?.owner === publisher);
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

  return {
    /** Names of all streams. */
    streams: [PREVIOUS, ...services.map(eventsOf), 'live', 'revocations'],
    services,
    /** Every subject of a service's stream. */
    subjectsIn: (service: string): string[] => [
      ...Object.keys(catalogue)
        .filter((name) => catalogue[name]?.stream === 'events' && isPublishedBy(service)(name))
        .map((name) => subjectBy(service, name)),
      `resync.*.*.*.${service}`,
    ],
    consumersFor,
    /** Every consumer, also those of `PREVIOUS` that only the previous release reads. */
    allConsumers: (): ConsumerOf[] =>
      Object.entries(consumes).flatMap(([service, names]) => {
        const { events, pages } = consumersFor(service, names);
        return [...events, ...pages, { stream: PREVIOUS, consumer: service, subjects: names.map(filterOf) }];
      }),
  };
}

export type Topology = ReturnType<typeof topologyOf>;
