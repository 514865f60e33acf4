import type { PersonalData } from '@tutoring/shared/database/personal-data';

/** The personal data in wallet's tables. The ledger of a deleted account stays, under its id only. */
export const personalData: PersonalData = {
  transfer: { personal: true, onDeletion: 'kept: the ledger', exportedAs: 'statement' },
  deposit: { personal: true, onDeletion: 'kept: numbers of an id', exportedAs: 'deposits' },
  withdrawal: { personal: true, onDeletion: 'loses the payout account', exportedAs: 'withdrawals' },
  account: { personal: true, onDeletion: 'closed for ever', exportedAs: 'profile' },
  user_copy: { personal: true, onDeletion: 'loses what the account loses', exportedAs: 'profile' },
  hold: {
    personal: true,
    onDeletion: 'kept: numbers of an id',
    notExported: 'what it reserves is a call or a withdrawal, which are there',
  },
  payment: {
    personal: true,
    onDeletion: 'kept: numbers of an id',
    notExported: 'the same money as in the statement, deposits, withdrawals and calls, for administrators',
  },

  audit_account: {
    personal: true,
    onDeletion: 'kept: numbers of an id',
    notExported: 'the sum of the statement',
  },
  audit_finding: {
    personal: true,
    onDeletion: 'goes when the subject adds up',
    notExported: 'names ids of other tables that do not add up',
  },
  audit_block: { personal: false, holds: 'sums over everybody' },
  audit_mark: { personal: false, holds: 'how far new transfers are audited' },
  audit_whole: { personal: false, holds: 'when the whole ledger was checked' },

  system_account: { personal: false, holds: "the platform's own accounts" },
  webhook_event: { personal: false, holds: 'ids of events of payment providers' },
  setting_copy: { personal: false, holds: 'settings' },
  ledger_day: { personal: false, holds: 'sums over everybody' },
  ledger_day_mark: { personal: false, holds: 'how far the sums have got' },
  deposit_tally: { personal: false, holds: 'numbers of rows' },
  withdrawal_tally: { personal: false, holds: 'numbers of rows' },
  payment_tally: { personal: false, holds: 'numbers of rows' },
};
