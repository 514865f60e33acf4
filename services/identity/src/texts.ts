import { fill, localized, type Catalogue } from '@tutoring/shared/kit/language/localized';
import { readableAmount } from '@tutoring/shared/kit/language/money';
import type { EventData } from '@tutoring/shared/contract/events';
import { DEFAULT_LANGUAGE, type Language } from '@tutoring/shared/kit/process/language';
import en from '../texts/en.json' with { type: 'json' };
import fr from '../texts/fr.json' with { type: 'json' };

/** Purpose of a message with a code; `contested`: a contested registration, whose code is for `register`. */
export type LetterPurpose = keyof typeof en.letters.purposes;
/** Purpose of a code. */
export type CodePurpose = Exclude<LetterPurpose, 'contested'>;
/** Purposes of codes for anonymous clients; the answer does not reveal whether the account exists. */
export type RequestedPurpose = keyof typeof en.codeAsked;

const catalogue: Catalogue<typeof en> = { en, fr };

/** Every text for users, in the language of the request. */
export const texts = localized(catalogue);

const page = (language: Language, paragraphs: string[]) =>
  `<!doctype html><html lang="${language}"><body style="font-family:sans-serif;line-height:1.5">${paragraphs
    .map((paragraph) => `<p>${paragraph}</p>`)
    .join('')}</body></html>`;

/** The e-mail with a code; it contains no text from the client. */
export function codeLetter(purpose: LetterPurpose, code: string, language: Language) {
  const { codeSubject, codeUse, contested, codeWarning, purposes } = catalogue[language].letters;
  const more = purpose === 'contested' ? [contested] : [];
  const rest = [fill(codeUse, { purpose: purposes[purpose] }), ...more, codeWarning];
  return {
    subject: fill(codeSubject, { code }),
    text: `${[`${code}\n`, ...rest].join('\n')}\n`,
    html: page(language, [`<strong style="font-size:1.6em;letter-spacing:.2em">${code}</strong>`, ...rest]),
  };
}

export const codeSms = (code: string, language: Language = DEFAULT_LANGUAGE) =>
  fill(catalogue[language].letters.codeSms, { code });

/** The mail with the link of an invitation; it contains no text from a client. */
export function invitationLetter(link: string, language: Language) {
  const { subject, before, after } = catalogue[language].letters.invitation;
  return {
    subject,
    text: `${[before, `\n${link}\n`, ...after].join('\n')}\n`,
    html: page(language, [before, `<a href="${link}">${link}</a>`, ...after]),
  };
}

export type Notice = 'passwordChanged' | 'ownPasswordChanged' | 'totpRemoved' | 'emailChanged' | 'phoneChanged';

/** A notice about the recipient's own account. */
export function noticeLetter(about: Notice, language: Language) {
  const { subject, sentences } = catalogue[language].letters[about];
  return { subject, text: `${sentences.join('\n')}\n`, html: page(language, sentences) };
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/** The mail with news about a person's own money; of an administrator it contains the reason only. */
export function moneyLetter(
  { what, amount = 0, currency, details }: EventData<'money.announced'>,
  language: Language,
): { subject: string; text: string; html: string } {
  const { reason, ...letters } = catalogue[language].letters.money;
  const { subject, sentences } = letters[what];
  const money = currency === undefined ? '' : readableAmount(amount, currency, language);
  const said = sentences.map((sentence) => fill(sentence, { amount: money }));
  const paragraphs = details === undefined ? said : [...said, fill(reason, { details })];
  return { subject, text: `${paragraphs.join('\n')}\n`, html: page(language, paragraphs.map(escaped)) };
}
