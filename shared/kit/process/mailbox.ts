import { appendFile } from 'node:fs/promises';

interface MailboxEntry {
  channel: 'email' | 'sms' | 'push';
  to: string;
  subject: string;
  text: string;
  code?: string;
  /** Time to live of a push, in seconds. */
  ttl?: number;
}

/** Appends a message to a file, one JSON object per line: replaces mail, SMS and push in development. */
export const appendToMailbox = (file: string, entry: MailboxEntry): Promise<void> =>
  appendFile(file, `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`, { mode: 0o600 });
