import { plural, localized, type Catalogue } from '@tutoring/shared/language/localized';
import { fr } from './french.ts';

export type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

export interface Texts {
  roomNotFound: string;
  fileNotFound: string;
  unreadableImage: string;
  tryAgain: string;
  recipientGone: string;
  cannotWrite: string;
  userNotFound: string;
  reportNotFound: string;
  blocked: string;
  unblocked: string;
  barred: string;
  missedCall: string;
  tooLong(limit: number): string;
  unread(count: number): string;
  incomingCall: { video: string; audio: string };
  /** How a ring ended, by the call's state. */
  callOver: Record<'active' | 'ended' | 'rejected' | 'canceled' | 'missed', string>;
  /** Stands in for the text of a message that is only a link. */
  attachment: Record<'message' | 'image' | 'audio' | 'video' | 'file', string>;
  support: string;
  someone: string;
  ago(count: number, unit: Unit): string;
}

export const english: Texts = {
  roomNotFound: 'Room not found.',
  fileNotFound: 'File not found.',
  unreadableImage: 'The :attribute field must be an image that can be read.',
  tryAgain: 'The service is busy. Please try again.',
  recipientGone: 'This person can no longer receive messages.',
  cannotWrite: 'You cannot write to this person.',
  userNotFound: 'User not found.',
  reportNotFound: 'Report not found.',
  blocked: 'The person has been blocked.',
  unblocked: 'The person has been unblocked.',
  barred: 'Unauthorized access',
  missedCall: 'Missed call',
  tooLong: (limit) => `The :attribute field must not be greater than ${limit} characters.`,
  unread: (count) => `(${count} unread)`,
  incomingCall: { video: 'Incoming video call', audio: 'Incoming audio call' },
  callOver: {
    active: 'The call was accepted',
    ended: 'The call is over',
    rejected: 'The call was rejected',
    canceled: 'The call was canceled',
    missed: 'Missed call',
  },
  attachment: {
    message: 'Sent a link',
    image: 'Sent an image',
    audio: 'Sent a recording',
    video: 'Sent a video',
    file: 'Sent a file',
  },
  support: 'Support',
  someone: 'New message',
  ago: (count, unit) => `${count} ${plural('en', count, { one: unit, other: `${unit}s` })} ago`,
};

export const catalogue: Catalogue<Texts> = { en: english, fr };

/** Every text of this service that people read. */
export const texts = localized(catalogue);
