import type { Database, Tx } from '@tutoring/shared/database/open';
import type { Logger } from '@tutoring/shared/logger';
import { codeLetter, codeSms, type Letter, type LetterPurpose } from '../texts.ts';
import type { Carrier } from './carriers.ts';
import { chargeSms, claimDue, enqueue, removeExpired, removeOutgoing, type Outgoing } from './delivery-store.ts';

const BATCH = 20;
const CODE_MINUTES = 10;
const NOTICE_MINUTES = 3 * 24 * 60;

export interface SmsRules {
  perNumberPerDay: number;
  /** Numbers that get no SMS and always the same code. */
  testNumbers: ReadonlyMap<string, string>;
}

/** The queue of mail and SMS: written with the transaction, delivered after it. */
export function createDelivery(deps: {
  database: Database;
  carriers: Record<Outgoing['channel'], Carrier>;
  sms: SmsRules;
  logger: Logger;
  /** Runs the delivery job soon. */
  wake: () => void;
}) {
  const { database, carriers, sms, logger, wake } = deps;

  async function deliver(message: Outgoing): Promise<void> {
    try {
      await carriers[message.channel](message);
    } catch (error) {
      logger.warn({ err: error, channel: message.channel, attempts: message.attempts }, 'a message was not delivered');
      return;
    }
    await removeOutgoing(database.manager, [message.id]);
  }

  return {
    /** The code that a number always gets, when it is a test number. */
    testCode: (number: string) => sms.testNumbers.get(number),

    async mailCode(tx: Tx, purpose: LetterPurpose, to: string, code: string): Promise<void> {
      const letter = codeLetter(purpose, code);
      await enqueue(tx, { channel: 'email', recipient: to, ...letter, code }, CODE_MINUTES);
    },

    /** Nothing is sent beyond the number's daily allowance, nor to a test number. */
    async smsCode(tx: Tx, to: string, code: string): Promise<void> {
      if (sms.testNumbers.has(to)) return;
      if (!(await chargeSms(tx, to, sms.perNumberPerDay))) {
        logger.warn('the daily allowance of a number is used up');
        return;
      }
      await enqueue(
        tx,
        { channel: 'sms', recipient: to, subject: '', text: codeSms(code), html: null, code },
        CODE_MINUTES,
      );
    },

    async mailNotice(tx: Tx, to: string, letter: Letter): Promise<void> {
      await enqueue(tx, { channel: 'email', recipient: to, ...letter, code: null }, NOTICE_MINUTES);
    },

    /** Call after the commit. */
    wake,

    /** Job: delivers what is due. */
    async deliverDue(): Promise<void> {
      for (;;) {
        const due = await database.transact((tx) => claimDue(tx, BATCH));
        await Promise.all(due.map(deliver));
        if (due.length < BATCH) break;
      }
      const expired = await removeExpired(database.manager);
      if (expired > 0) logger.warn({ messages: expired }, 'messages expired before they could be delivered');
    },
  };
}

export type Delivery = ReturnType<typeof createDelivery>;
