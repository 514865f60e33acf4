import { AppError } from '@tutoring/shared/kit/errors';
import { fill } from '@tutoring/shared/kit/language/localized';
import { invalidField, sentences } from '@tutoring/shared/kit/http/read/validation';
import { texts } from './texts.ts';

export const depositNotFound = () => new AppError('not_found', texts.depositUnknown);
export const withdrawalNotFound = () => new AppError('not_found', texts.withdrawalUnknown);
export const breakNotFound = () => new AppError('not_found', texts.breakUnknown);
export const breakOpenAgain = () => new AppError('conflict', texts.breakOpenAgain);
export const disputeNotFound = () => new AppError('not_found', texts.disputeUnknown);
export const refundNotFound = () => new AppError('not_found', texts.refundUnknown);
export const callNotFound = () => new AppError('not_found', texts.callUnknown);
export const userNotFound = () => new AppError('not_found', texts.userUnknown);
export const providerNotFound = () => new AppError('not_found', texts.providerUnknown);
export const providerUnavailable = (cause: unknown) =>
  new AppError('unavailable', texts.providerAway, { retryAfter: 1, cause });
export const signatureWrong = () => new AppError('malformed', texts.signatureWrong);
export const webhookMalformed = () => new AppError('malformed', texts.webhookMalformed);
export const belowMinimum = (minimum: number) => invalidField('amount', fill(texts.amountAtLeast, { minimum }));
export const aboveMaximum = (maximum: number) => invalidField('amount', fill(texts.amountAtMost, { maximum }));
export const amountTooSmall = () => invalidField('amount', texts.amountTooSmall);
export const amountTooLarge = () => invalidField('amount', texts.amountTooLarge);
export const amountRefused = () => invalidField('amount', texts.amountRefused);
export const insufficientFunds = () => new AppError('payment_required', texts.notEnough);
export const moneyGone = () => new AppError('conflict', texts.moneyGone);
export const nothingToRefund = () => new AppError('conflict', texts.nothingToRefund);
export const referenceTaken = () => new AppError('conflict', texts.referenceTaken);
export const cannotCancel = (status: keyof typeof texts.statuses) =>
  new AppError('conflict', fill(texts.cannotCancel, { status: texts.statuses[status] }));
export const decidedMeanwhile = (status: keyof typeof texts.statuses) =>
  new AppError('conflict', fill(texts.decidedMeanwhile, { status: texts.statuses[status] }));
export const notYours = () => new AppError('forbidden', texts.notYours);
export const leavingSuccess = () => new AppError('forbidden', texts.leavingSuccess);
export const accountClosed = () => new AppError('conflict', texts.accountClosed);
export const accountClosing = () => new AppError('unavailable', texts.accountClosed, { retryAfter: 60 });
export const tooManyOpen = (most: number) => new AppError('conflict', fill(texts.tooManyOpen, { most }));
export const userBanned = () => new AppError('forbidden', texts.banned);
export const disputedDeposit = () => new AppError('conflict', texts.disputedDeposit);
export const depositsBlocked = () => new AppError('conflict', texts.depositsBlocked);
export const refundsNotOffered = () => new AppError('conflict', texts.refundsNotOffered);
export const unpaidDeposit = () => new AppError('conflict', texts.unpaidDeposit);
export const refundTooLate = (days: number) => new AppError('conflict', fill(texts.refundTooLate, { days }));
export const nothingLeftToRefund = () => new AppError('conflict', texts.nothingLeftToRefund);
export const cannotMoveRefund = (status: keyof typeof texts.refundStatuses) =>
  new AppError('conflict', fill(texts.cannotMoveRefund, { status: texts.refundStatuses[status] }));
export const refundDecidedMeanwhile = (status: keyof typeof texts.refundStatuses) =>
  new AppError('conflict', fill(texts.decidedMeanwhile, { status: texts.refundStatuses[status] }));

export const payoutAccountNotFound = () => new AppError('not_found', texts.payoutAccountUnknown);
export const payoutAccountUnknown = () => invalidField('payout_account_id', sentences.selected);
export const methodUnknown = () => invalidField('method', sentences.selected);
export const formatInvalid = (field: string) => invalidField(field, sentences.format);
export const tooManyAccounts = (most: number) => new AppError('conflict', fill(texts.tooManyAccounts, { most }));
export const accountInUse = () => new AppError('conflict', texts.accountInUse);
export const accountNotUsable = (time: string) => new AppError('conflict', fill(texts.accountNotUsable, { time }));
export const batchNotFound = () => new AppError('not_found', texts.batchUnknown);
export const itemNotFound = () => new AppError('not_found', texts.itemUnknown);
export const importNotFound = () => new AppError('not_found', texts.importUnknown);
export const inBatch = (batch: number) => new AppError('conflict', fill(texts.inBatch, { batch }));
export const needsOtherPayer = () => new AppError('conflict', texts.needsOtherPayer);
export const needsOtherApprover = () => new AppError('conflict', texts.needsOtherApprover);
export const cannotTake = (withdrawal: number, reason: keyof typeof texts.exclusions) =>
  new AppError('conflict', fill(texts.cannotTake, { withdrawal, reason: texts.exclusions[reason] }));
export const changedMeanwhile = (name: string) => new AppError('conflict', fill(texts.changedMeanwhile, { name }));
export const batchIs = (status: keyof typeof texts.batchStatuses) =>
  new AppError('conflict', fill(texts.batchIs, { status: texts.batchStatuses[status] }));
export const itemIs = (status: keyof typeof texts.itemStatuses) =>
  new AppError('conflict', fill(texts.itemIs, { status: texts.itemStatuses[status] }));
export const batchEmpty = () => new AppError('conflict', texts.batchEmpty);
export const onlyIbans = () => new AppError('conflict', texts.onlyIbans);
export const noDebtor = () => new AppError('conflict', texts.noDebtor);
export const noStoredAccount = (withdrawal: number) =>
  new AppError('conflict', fill(texts.noStoredAccount, { withdrawal }));
export const noPayoutProvider = (withdrawal: number) =>
  new AppError('conflict', fill(texts.noPayoutProvider, { withdrawal }));
export const noFile = () => new AppError('conflict', texts.noFile);
export const noResults = () => new AppError('conflict', texts.noResults);
export const itemUnderWay = () => new AppError('conflict', texts.itemUnderWay);
export const reportUnreadable = () => invalidField('file', texts.reportUnreadable);
export const reportTooLong = (most: number) => invalidField('file', fill(texts.reportTooLong, { most }));
