import { eventually } from '@tutoring/shared/testing/wait';
import type { PushSender } from '../src/push/push.ts';

/** A push provider that answers as a test says, and keeps what it was asked for: `device: text (unread)`. */
export function pushProvider() {
  const provider = {
    tried: [] as string[],
    sent: [] as string[],
    answer: async (_key: string): Promise<'sent' | 'gone'> => 'sent',
  };
  const send: PushSender = async (push, unread) => {
    const line = `${push.device_key}: ${push.body} (${unread})`;
    provider.tried.push(line);
    const outcome = await provider.answer(push.device_key);
    if (outcome === 'sent') provider.sent.push(line);
    return outcome;
  };
  const about = (words: RegExp) => provider.tried.filter((line) => words.test(line));
  const tries = (body: string) => provider.tried.filter((line) => line.includes(`: ${body} (`));
  return {
    provider,
    send,
    about,
    sent: (words: RegExp) => provider.sent.filter((line) => words.test(line)),
    tries,
    tried: (body: string, count: number) =>
      eventually(`${count} tries of ${body}`, () => tries(body).length >= count && tries(body)),
  };
}
