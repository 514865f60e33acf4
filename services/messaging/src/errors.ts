import { AppError } from '@tutoring/shared/errors';
import { texts } from './texts.ts';

/** The same for a room that does not exist and one that belongs to others. */
export const roomNotFound = () => new AppError('not_found', texts.roomNotFound);

/** The sender is banned or deleted; its tokens are being revoked. */
export const senderBarred = () => new AppError('forbidden', texts.barred);

export const recipientGone = () => new AppError('conflict', texts.recipientGone);
