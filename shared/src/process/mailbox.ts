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

/** The local stand-in for mail, SMS and push: one JSON object per line of a file that a developer can read. */
export const deliverTo = (file: string, entry: MailboxEntry): Promise<void> =>
  appendFile(file, `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`, { mode: 0o600 });
