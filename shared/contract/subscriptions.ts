import { subscriptionsTo } from '../kit/events/consume/subscription.ts';
import { catalogue } from './events.ts';

export const { newestSnapshots, on, onBatch, onSnapshots } = subscriptionsTo(catalogue);
