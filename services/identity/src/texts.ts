import { DEFAULT_LANGUAGE, type Language } from '@tutoring/shared/process/language';
import { localized, type Catalogue } from '@tutoring/shared/language/localized';
import { fr } from './french.ts';

const MINUTES = 10;

/** The purpose of a code, as its message says it. */
const PURPOSES = {
  register: 'verify your account',
  contested: 'verify your account',
  login: 'log in',
  reset: 'reset your password',
  admin_reset: 'reset your password as an administrator',
  email: 'confirm your new e-mail address',
  phone: 'confirm your new phone number',
  change: 'give your account another e-mail address or phone number',
  delete: 'delete your account',
} as const;

/** What a code proves; `contested` is the letter for a contested registration, whose code is one of `register`. */
export type CodePurpose = Exclude<LetterPurpose, 'contested'>;
export type LetterPurpose = keyof typeof PURPOSES;

const NOT_YOU = 'If this was not you, reset your password at once and contact support.';

const en = {
  unauthenticated: 'Unauthenticated.',
  invalidCredentials: 'Invalid credentials.',
  userNotFound: 'User not found.',
  recordNotFound: 'The record could not be found.',
  loggedOut: 'You have been logged out.',

  registered: 'Your account has been created. Please check your messages for the verification code.',
  registeredAtOnce: 'Your account has been created and verified.',
  verified: 'Your account has been verified.',
  restart: 'The user is unknown or the code is invalid. Please restart the process.',
  tooManyAttempts: 'Too Many Attempts.',

  checkMessages: 'If the address waits for its code, a new one has been sent. Please check your messages.',
  checkMailbox: 'If the address exists, a code has been sent. Please check your mailbox.',
  checkPhone: 'If the number exists, a code has been sent. Please check your phone.',
  codeInvalid: 'The code is invalid.',
  codeAccepted: 'The code is valid. Please choose a new password.',
  resetFailed: 'An error occurred, please restart the process.',
  passwordReset: 'Your password has been reset. Please log in.',

  codeSent: (field: 'code' | 'old_code') => `A code has been sent. Send it as ${field} to confirm.`,
  passwordIncorrect: 'The password is incorrect.',
  passwordTooCommon: 'The password is too common.',
  requiredWith: (other: string) => `The :attribute field is required when ${other} is present.`,
  tooManyDays: 'The :attribute field must be within 366 days of from.',
  oneAtATime: 'Change the email and the phone number one at a time.',
  noPassword: 'This account has no password.',
  phoneInvalid: 'The :attribute field format is invalid.',
  accountDeleted: 'Your account has been deleted.',
  inCall: 'The account cannot be deleted during a call.',
  openWithdrawal: 'The account cannot be deleted while a withdrawal is open.',
  moneyLeft: 'The account still holds money. Withdraw it, or send forfeit to give it up.',
  moneyForfeits: 'The account still holds money, which is forfeited with forfeit: true.',

  sessionEnded: 'The session has been ended.',
  sessionsEnded: 'All other sessions have been ended.',
  androidApp: 'Android app',
  iosApp: 'iOS app',
  mobileApp: 'Mobile app',
  unknownDevice: 'Unknown device',
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,

  notAnImage: 'The :attribute field must be an image.',
  photoRemoved: 'The photo has been removed.',

  tokenDeleted: 'The token has been deleted.',
  tooManyTokens: 'There are too many API tokens. Delete one first.',

  /** What an authenticator app shows beside the e-mail address. */
  issuer: 'Tutoring',
  codeRequired: 'A code is required.',
  totpIsOn: 'Two-factor authentication is on already.',
  totpConfirmed:
    'Two-factor authentication is on. Keep the recovery codes: each is good once, and they are not shown again.',
  totpRemoved: 'Two-factor authentication is off.',

  adminCreated: 'The administrator has been created.',
  adminUpdated: 'The administrator has been updated.',
  noActiveSuper: 'Without an active super administrator nobody could change administrators and settings.',
  adminExists: (email: string) => `There is an administrator ${email} already.`,
  noEmail: (text: string) => `${text} is no e-mail address.`,
  notYourself: 'You cannot deactivate yourself.',
  lastSuper: 'The last active super administrator cannot be deactivated.',
  onlyTeachers: 'Only a teacher can be verified.',
  inUse: 'The record is in use and cannot be deleted.',
  deleted: 'The record has been deleted.',
  busy: 'The service is busy. Please try again.',

  letters: {
    codeSubject: (code: string) => `${code} is your code`,
    codeUse: (purpose: LetterPurpose) => `Use this code to ${PURPOSES[purpose]}. It is valid for ${MINUTES} minutes.`,
    codeWarning: 'If you did not ask for it, ignore this message and tell nobody the code.',
    contested:
      'The address was submitted several times with different passwords, so none of them is set: once the account is ' +
      'verified, choose a password by resetting it.',
    codeSms: (code: string) => `${code} is your code, valid for ${MINUTES} minutes. Tell nobody.`,
    passwordChanged: {
      subject: 'Your password was changed',
      sentences: ['The password of your account was changed, and every device was logged out.', NOT_YOU],
    },
    ownPasswordChanged: {
      subject: 'Your password was changed',
      sentences: ['The password of your account was changed, and every other device was logged out.', NOT_YOU],
    },
    totpRemoved: {
      subject: 'Two-factor authentication is off',
      sentences: ['Two-factor authentication of your account was switched off.', NOT_YOU],
    },
    emailChanged: {
      subject: 'Your e-mail address was changed',
      sentences: [
        'The e-mail address of your account was changed to another one.',
        'If this was not you, contact support.',
      ],
    },
    phoneChanged: {
      subject: 'Your phone number was changed',
      sentences: [
        'The phone number of your account was changed to another one.',
        'If this was not you, contact support.',
      ],
    },
  },
};

const catalogue: Catalogue<typeof en> = { en, fr };

/** Every sentence that a person may read. */
export const texts = localized(catalogue);

export interface Letter {
  subject: string;
  text: string;
  html: string;
}

const page = (language: Language, paragraphs: string[]) =>
  `<!doctype html><html lang="${language}"><body style="font-family:sans-serif;line-height:1.5">${paragraphs
    .map((paragraph) => `<p>${paragraph}</p>`)
    .join('')}</body></html>`;

/** The message that carries a code; it contains no text from the requester. */
export function codeLetter(purpose: LetterPurpose, code: string, language: Language): Letter {
  const { codeSubject, codeUse, contested, codeWarning } = catalogue[language].letters;
  const more = purpose === 'contested' ? [contested] : [];
  const rest = [codeUse(purpose), ...more, codeWarning];
  return {
    subject: codeSubject(code),
    text: `${[`${code}\n`, ...rest].join('\n')}\n`,
    html: page(language, [`<strong style="font-size:1.6em;letter-spacing:.2em">${code}</strong>`, ...rest]),
  };
}

export const codeSms = (code: string, language: Language = DEFAULT_LANGUAGE) =>
  catalogue[language].letters.codeSms(code);

type Notice = 'passwordChanged' | 'ownPasswordChanged' | 'totpRemoved' | 'emailChanged' | 'phoneChanged';

/** A letter about the reader's own account. */
export function noticeLetter(about: Notice, language: Language): Letter {
  const { subject, sentences } = catalogue[language].letters[about];
  return { subject, text: `${sentences.join('\n')}\n`, html: page(language, sentences) };
}
