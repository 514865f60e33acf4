import { localized } from '@tutoring/shared/language/localized';
import { fr } from './french.ts';

const en = {
  depositUnknown: 'Deposit not found.',
  withdrawalUnknown: 'Withdrawal not found.',
  callUnknown: 'Call not found.',
  userUnknown: 'User not found.',
  checkoutUnknown: 'This payment link is not valid.',
  providerUnknown: 'The payment provider is not known.',
  providerAway: 'The payment provider is unavailable. Please try again.',
  signatureWrong: 'The signature is missing, wrong or too old.',
  webhookMalformed: 'The event could not be understood.',
  amountAtLeast: (minimum: number) => `The :attribute field must be at least ${minimum}.`,
  amountAtMost: (maximum: number) => `The :attribute field must not be greater than ${maximum}.`,
  notEnough: 'There is not enough money available.',
  moneyGone: 'The money is no longer there.',
  nothingToRefund: 'Everything charged for this call has been refunded.',
  referenceTaken: 'The reference belongs to something else.',
  cannotCancel: (status: string) => `A withdrawal that is ${status} can no longer be canceled.`,
  decidedMeanwhile: (status: string) => `The status is ${status} by now. Nothing was changed.`,
  leavingSuccess: 'Unauthorized access',
  banned: 'Unauthorized access',
  accountClosed: 'The account is closed or being closed.',
  tooManyOpen: (most: number) => `There are ${most} unpaid deposits already. Pay one of them first.`,
  checkout: {
    badge: 'Test payment',
    title: 'Top up your balance',
    reference: 'Reference',
    status: 'Status',
    statuses: {
      initiated: 'initiated',
      pending: 'pending',
      success: 'success',
      failed: 'failed',
      canceled: 'canceled',
    },
    pay: 'Pay',
    fail: 'Let it fail',
    cancel: 'Cancel',
    note: 'This is the sandbox provider: no real money moves.',
    ended: {
      initiated: { title: '', text: '' },
      pending: { title: '', text: '' },
      success: {
        title: 'Payment received',
        text: 'Thank you. Your balance has been topped up; you can close this page.',
      },
      failed: { title: 'Payment failed', text: 'The payment did not go through. Nothing was charged.' },
      canceled: { title: 'Payment canceled', text: 'The payment was canceled. Nothing was charged.' },
    },
    returnedTitle: 'Thank you',
    returned:
      'You can close this page and go back to the app: your balance changes as soon as the payment is confirmed.',
  },
};

/** Every sentence of this service that a person may read. */
export const texts = localized({ en, fr });

/** Sentences that are stored for every reader: in a deposit's details, and at the provider. */
export const records = {
  paidAfterClosing: 'Paid after the account was deleted: the money is in clearing:unclaimed.',
  unpaid: 'Not paid within 24 hours.',
  providerRefused: 'The payment provider did not take it.',
  depositTitle: 'Balance top-up',
};
