import { AppError, assertThat } from '@tutoring/shared/kit/errors';
import { fill } from '@tutoring/shared/kit/language/localized';
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

export const caseNotFound = () => new AppError('not_found', texts.caseNotFound);

export const noteNotFound = () => new AppError('not_found', texts.noteNotFound);

export const replyNotFound = () => new AppError('not_found', texts.replyNotFound);

/** The record has another version than the caller expected; `name`: who has changed it last. */
export const changedMeanwhile = (name: string) =>
  new AppError('conflict', fill(texts.changedMeanwhile, { name: name || texts.support }));

/** The person has a case that is open or snoozed. */
export const hasOpenCase = () => new AppError('conflict', texts.hasOpenCase);

/** A resolved case cannot be snoozed. */
export const cannotSnooze = () => new AppError('conflict', texts.cannotSnooze);

/** No case of the person was resolved within the last seven days. */
export const nothingToRate = () => new AppError('conflict', texts.nothingToRate);

export const tooManyNotes = (most: number) => new AppError('conflict', fill(texts.tooManyNotes, { most }));

export const tooManyReplies = (most: number) => new AppError('conflict', fill(texts.tooManyReplies, { most }));

/** Somebody else's note. */
export const notYourNote = () => new AppError('forbidden', texts.notYourNote);

/** The account of the case's person is deleted. */
export const personDeleted = () => new AppError('conflict', texts.personDeleted);
