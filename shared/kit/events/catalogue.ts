import { z } from 'zod';

/**
 * The form of a catalogue of events. A snapshot has the whole public state of a noun and its version: a consumer
 * ignores older versions and accepts gaps. A fact is published once; only the inbox prevents a redelivered fact from
 * taking effect twice.
 */
export interface EventDeclaration {
  kind: 'fact' | 'snapshot';
  /** The service that publishes it; `*`: every service. */
  owner: string;
  stream: 'events' | 'revocations';
  /** Field that identifies the noun. */
  key: string;
  schema: z.ZodObject;
}

/**
 * A text from a list that may grow: an older release keeps a value that it does not know, and its code must handle that.
 * With `z.enum` an older release skips the whole event instead.
 */
export const openList = <const Value extends string>(values: readonly Value[]) =>
  z.union([z.enum(values), z.string().max(255)]) as z.ZodType<Value | (string & {}), Value>;

export type Events = Readonly<Record<string, EventDeclaration>>;

/** What the relay has to know about a live event. */
export interface LiveDeclaration {
  owner: string;
  /** Sent before the events that are not urgent. */
  urgent: boolean;
}

/** The messages of a system, for its bus, relays and consumers. */
export interface Messages {
  /** Each owns a database and publishes events. */
  services: readonly string[];
  events: Events;
  /** The events that each service consumes. */
  consumes: Readonly<Record<string, readonly string[]>>;
  /** Events that any later urgent event about the same object supersedes: event name to the field that identifies it. */
  supersededByNext: Readonly<Record<string, string>>;
}

/** A name in a catalogue. */
export type NameIn<Catalogue> = keyof Catalogue & string;

/** The data of an event for its consumers. */
export type DataOf<All extends Events, Name extends NameIn<All>> = z.output<All[Name]['schema']>;

/** The data of an event for its publisher. */
export type InputOf<All extends Events, Name extends NameIn<All>> = z.input<All[Name]['schema']>;

/** An event of a catalogue to publish. */
export type EventOf<All extends Events> = {
  [Name in NameIn<All>]: { name: Name; data: InputOf<All, Name> };
}[NameIn<All>];

/**
 * The subject on which a service publishes pages of an event again for one consumer. In the previous release it did not
 * name the publisher.
 */
export const resyncSubjectOf = (name: string, consumer: string, publisher?: string) =>
  `resync.${consumer}.${name}${publisher === undefined ? '' : `.${publisher}`}`;

export function subjectsOf(events: Events) {
  /** The subject of an event that every service may publish ends with its publisher: `events.admin.acted.wallet`. */
  const hasManyPublishers = (name: string) => Object.hasOwn(events, name) && events[name]?.owner === '*';
  const subjectOf = (name: string) => `${events[name]?.stream}.${name}`;
  return {
    hasManyPublishers,
    subjectOf,
    /** The filter subject for consumers of the event. */
    filterOf: (name: string) => (hasManyPublishers(name) ? `${subjectOf(name)}.*` : subjectOf(name)),
  };
}
