import type { Database, Tx } from '@tutoring/shared/database/open';
import { networkOf } from '@tutoring/shared/process/client-network';
import type { Delivery } from '../delivery/delivery-service.ts';
import { requestCode, takeCodeRequest, type RequestedPurpose } from './code-store.ts';

/** Sends a code if there is somebody to send it to. `network`: the requester's; null: not known. */
export type Answer = (tx: Tx, subject: string, network: string) => Promise<void>;

/**
 * Codes for people who are not logged in. A request is one write, the same whether or not the account exists; a job
 * then looks whether there is somebody to send a code to.
 */
export function createCodeRequests({
  database,
  delivery,
  wake,
}: {
  database: Database;
  delivery: Delivery;
  wake: () => void;
}) {
  return {
    /** `subject`: key of an e-mail or phone number; `address`: the requester's. */
    async request(purpose: RequestedPurpose, subject: string, address: string): Promise<void> {
      await database.autocommit((tx) => requestCode(tx, purpose, subject, networkOf(address)));
      wake();
    },

    /** Job: handles the requests, oldest first. */
    async answer(answers: Record<RequestedPurpose, Answer>): Promise<void> {
      const answerOne = async (tx: Tx): Promise<boolean> => {
        const asked = await takeCodeRequest(tx);
        // A replica of the next release may store a purpose that this one does not know.
        const answer: Answer | undefined = asked && answers[asked.purpose];
        if (asked) await answer?.(tx, asked.subject, asked.network);
        return asked !== undefined;
      };
      while (await database.transact(answerOne)) delivery.wake();
    },
  };
}

export type CodeRequests = ReturnType<typeof createCodeRequests>;
