/** Why a carrier did not take a message. */
export interface Failure {
  /** Whether a repetition would be refused as well. */
  isPermanent: boolean;
  /** Codes of the provider, for the log: its texts name the recipient. */
  reason: string;
}

/** Errors of nodemailer about the letter or its envelope; others are about the server or our account. */
const OF_THE_LETTER = ['EENVELOPE', 'EMESSAGE'];
/** Statuses of HTTP with which Twilio asks for a repetition. */
const REPEATABLE = [408, 425, 429];

type Fields = { code?: string | number; name?: string; responseCode?: number; status?: number };

/** Reads an error of a carrier: a reply 5yz of SMTP and a status 4xx of Twilio are final. */
export function failureOf(error: unknown): Failure {
  const { code, name, responseCode, status } = error as Fields;
  const isRefusedLetter = Number(responseCode) >= 500 && OF_THE_LETTER.includes(String(code));
  const isRefusedSms = Number(status) >= 400 && Number(status) < 500 && !REPEATABLE.includes(Number(status));
  return {
    isPermanent: isRefusedLetter || isRefusedSms,
    reason: [code ?? name ?? 'error', responseCode ?? status].filter((part) => part !== undefined).join(' '),
  };
}
