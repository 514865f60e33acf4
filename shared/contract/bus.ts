import { connectBus as connect, makeStreams as make } from '../kit/events/bus.ts';
import { topologyOf } from '../kit/events/streams.ts';
import { catalogue, CONSUMES } from './events.ts';
import { SUPERSEDED_BY_NEXT } from './live-events.ts';
import { SERVICES } from './names.ts';

/** All events of the system, for its bus. */
export const messages = {
  services: SERVICES,
  events: catalogue,
  consumes: CONSUMES,
  supersededByNext: SUPERSEDED_BY_NEXT,
};

/** The streams and consumers of the system. */
export const topology = topologyOf(messages);

type Options = Omit<Parameters<typeof connect>[0], 'messages'>;

export const connectBus = (options: Options) => connect({ ...options, messages });
export const makeStreams = (options: Options) => make({ ...options, messages });
