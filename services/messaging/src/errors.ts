import { AppError, assertThat } from '@tutoring/shared/kit/errors';
import { texts } from './texts.ts';

/** The room does not exist, or it belongs to other people. */
export const roomNotFound = () => new AppError('not_found', texts.roomNotFound);

/** Throws `roomNotFound` for undefined. */
export function foundRoom<Room>(room: Room | undefined): Room {
  assertThat(room, roomNotFound);
  return room;
}

/** The clean-up job removed the unfinished upload as an orphan. */
export const fileLost = () => new AppError('unavailable', texts.tryAgain, { retryAfter: 1 });

export const fileNotFound = () => new AppError('not_found', texts.fileNotFound);

/** The sender is banned or deleted; its tokens are being revoked. */
export const senderBarred = () => new AppError('forbidden', texts.barred);

/** An unknown user, a deleted one, or an administrator. */
export const userNotFound = () => new AppError('not_found', texts.userNotFound);

export const reportNotFound = () => new AppError('not_found', texts.reportNotFound);

/** One of the two has blocked the other. */
export const cannotWrite = () => new AppError('conflict', texts.cannotWrite);

export const recipientGone = () => new AppError('conflict', texts.recipientGone);
