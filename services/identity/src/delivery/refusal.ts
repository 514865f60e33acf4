/** Why a carrier did not accept a message. */
export interface Failure {
  /** Whether a retry would be refused as well. */
  isPermanent: boolean;
  /** Codes of the provider, for the log. Its texts are left out: they name the recipient. */
  reason: string;
}

/** nodemailer's errors about the message or its envelope; others are about the server or our account. */
const MESSAGE_ERRORS = ['EENVELOPE', 'EMESSAGE'];
/** Twilio's HTTP statuses 4xx that allow a retry. */
const RETRYABLE = [408, 425, 429];

type Fields = { code?: string | number; name?: string; responseCode?: number; status?: number };

/** Classifies a carrier's error: a reply 5yz of SMTP to a message and most 4xx of Twilio are permanent. */
export function failureOf(error: unknown): Failure {
  const { code, name, responseCode, status } = error as Fields;
  const isRefusedLetter = Number(responseCode) >= 500 && MESSAGE_ERRORS.includes(String(code));
  const isRefusedSms = Number(status) >= 400 && Number(status) < 500 && !RETRYABLE.includes(Number(status));
  return {
    isPermanent: isRefusedLetter || isRefusedSms,
    reason: [code ?? name ?? 'error', responseCode ?? status].filter((part) => part !== undefined).join(' '),
  };
}
