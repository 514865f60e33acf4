import type { PersonalData } from '@tutoring/shared/database/personal-data';

/** The personal data in identity's tables. */
export const personalData: PersonalData = {
  account: { personal: true, onDeletion: 'loses all but id, platform and status', exportedAs: 'profile' },
  account_skill: { personal: true, onDeletion: 'removed', exportedAs: 'profile' },
  token: { personal: true, onDeletion: 'removed', exportedAs: 'sessions' },
  photo: { personal: true, onDeletion: 'removed, with the bytes', exportedAs: 'profile' },
  balance_copy: { personal: true, onDeletion: 'kept: numbers of an id', exportedAs: 'profile' },

  external_identity: {
    personal: true,
    onDeletion: 'removed',
    notExported: "an issuer's number of the person; that they log in by it is `gauth_type` of the profile",
  },
  presence: { personal: true, onDeletion: 'removed', notExported: 'when they were last seen, as in `sessions`' },
  login_network: { personal: true, onDeletion: 'removed', notExported: 'addresses of logins, as in `sessions`' },
  login_failure: { personal: true, onDeletion: 'removed', notExported: 'counts what anybody tried, for a day' },
  code: { personal: true, onDeletion: 'removed', notExported: 'hashes of secrets that live ten minutes' },
  code_try: { personal: true, onDeletion: 'removed', notExported: 'counts what anybody tried, for a day' },
  code_request: { personal: true, onDeletion: 'gone within seconds', notExported: 'lives for seconds' },
  outgoing: { personal: true, onDeletion: 'removed', notExported: 'goes with its delivery' },
  reset_grant: { personal: true, onDeletion: 'removed', notExported: 'a secret that lives minutes' },
  registration: {
    personal: true,
    onDeletion: 'there is none: it went when it became the account, or goes after a day',
    notExported: 'belongs to nobody with an account',
  },
  export_count: { personal: true, onDeletion: 'removed', notExported: 'counts the exports of a day' },
  upload_day: { personal: true, onDeletion: 'goes with its day', notExported: 'counts the uploads of a day' },
  sms_day: { personal: true, onDeletion: 'goes with its day', notExported: 'counts what was sent in a day' },
  stale_account: { personal: true, onDeletion: 'removed', notExported: 'an id that waits for a job' },
  forfeit: {
    personal: true,
    onDeletion: 'made, and gone when wallet has heard it',
    notExported: 'is made by deletion',
  },
  accepted_call: { personal: true, onDeletion: 'kept: numbers of an id', notExported: 'is among the calls' },
  call_count: { personal: true, onDeletion: 'kept: numbers of an id', notExported: 'counts the calls' },
  audit: {
    personal: true,
    onDeletion: 'kept: what administrators did, which nothing can change; the owner may move old entries out',
    notExported: 'is about administrators, and open to them alone',
  },

  plan: { personal: false, holds: 'the catalogue' },
  skill: { personal: false, holds: 'the catalogue' },
  setting: { personal: false, holds: 'settings' },
  admin: { personal: false, holds: 'administrators, who have no export and are never deleted' },
  admin_totp: { personal: false, holds: "administrators' second factors" },
  admin_recovery_code: { personal: false, holds: "administrators' second factors" },
  directory_version: { personal: false, holds: 'a number that changes with the list of teachers' },
  send_count: { personal: false, holds: 'hashes of recipients and client networks, for a day' },
  spent_token: { personal: false, holds: 'hashes of tokens of social logins, for an hour' },
  stats_copy: { personal: false, holds: 'figures of the dashboard' },
  account_tally: { personal: false, holds: 'numbers of rows' },
  audit_tally: { personal: false, holds: 'numbers of rows' },
};
