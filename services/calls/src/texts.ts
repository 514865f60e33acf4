import { localized } from '@tutoring/shared/language/localized';
import { fr } from './french.ts';

const en = {
  initiated: 'The call has been initiated.',
  notRinging: 'There is no ringing call.',
  unknownCall: 'The call could not be found.',
  callOver: 'The call is over.',
  busy: {
    student: 'You are already in a call.',
    teacher: 'The teacher is already in a call.',
    otherType: 'You are already calling this teacher with another call type.',
  },
  teacherNotVerified: 'The teacher has not been verified yet.',
  teacherUnavailable: 'The teacher cannot be called.',
  tooManyRings: 'You have called this teacher too often. Please try again later.',
  callerBanned: 'Your account may not make calls.',
  notEnoughMoney: 'The balance does not cover the first step of this call.',
  studentLacksMoney: "The student's balance does not cover the first step of this call.",
  walletAway: 'Payments are unavailable at the moment. Please try again.',
  peopleAway: 'Accounts are unavailable at the moment. Please try again.',
  cannotBill: {
    unknown: 'The call cannot be billed: it could not be found.',
    notActive: 'The call cannot be billed: it is not active.',
    money: "The call cannot be billed: the student's balance is not sufficient.",
    walletAway: 'The call cannot be billed at the moment. Please try again.',
  },
  service: {
    unknown: 'The service could not be found.',
    inUse: 'The service is in use and cannot be deleted.',
    nameNeeded: 'Calls need the service of this name: it cannot be renamed.',
    deleted: 'The service has been deleted.',
  },
};

/** Every text of this service that people read. */
export const texts = localized({ en, fr });

/** Configuration errors, for operators at the start. */
export const configTexts = {
  hex32: 'must be 32 hexadecimal digits',
  example: 'is an example value; production needs its own',
  sameAsAppId: 'is the app id; give the primary certificate of the Agora project',
};
