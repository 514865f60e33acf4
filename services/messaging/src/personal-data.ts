import type { PersonalData } from '@tutoring/shared/database/personal-data';

/** What messaging's tables hold of people. What was written stays with whom it was written to, under no name. */
export const personalData: PersonalData = {
  room: { personal: true, onDeletion: 'kept for the partner', exportedAs: 'rooms' },
  message: { personal: true, onDeletion: 'kept for the partner', exportedAs: 'rooms' },
  support_room: { personal: true, onDeletion: 'kept for the administrators', exportedAs: 'rooms' },
  support_message: { personal: true, onDeletion: 'kept for the administrators', exportedAs: 'rooms' },
  file: {
    personal: true,
    onDeletion: 'removed with the bytes, unless somebody else has sent it too',
    exportedAs: 'files',
  },
  user_copy: { personal: true, onDeletion: 'loses what the account loses', exportedAs: 'profile' },
  balance_copy: { personal: true, onDeletion: 'kept: numbers of an id', exportedAs: 'profile' },

  file_sender: { personal: true, onDeletion: 'removed', notExported: 'the messages that have the link are in `rooms`' },
  upload_day: { personal: true, onDeletion: 'goes with its day', notExported: 'counts the uploads of a day' },
  block: {
    personal: true,
    onDeletion: 'removed, on both sides',
    notExported: '`GET api/blocks` shows the own ones; those of others are not theirs to know',
  },
  report: {
    personal: true,
    onDeletion: 'kept for the administrators, under no name',
    notExported: 'between who reports and the administrators; who is reported is not told',
  },
  device_copy: { personal: true, onDeletion: 'emptied', notExported: 'keys for push, which `sessions` tell of' },
  dead_device: { personal: true, onDeletion: 'goes after 90 days', notExported: 'keys for push that are good no more' },
  push: { personal: true, onDeletion: 'removed', notExported: 'goes with its delivery' },
  call_copy: { personal: true, onDeletion: 'kept: ids', notExported: 'is among the calls' },

  setting_copy: { personal: false, holds: 'settings' },
  message_tally: { personal: false, holds: 'numbers of rows' },
  report_tally: { personal: false, holds: 'numbers of rows' },
  room_tally: { personal: false, holds: 'numbers of rows' },
};
