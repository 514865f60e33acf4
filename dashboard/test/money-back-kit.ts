import { retryWhile503 } from '@tutoring/shared/testing/wait';
import { sandboxEvent } from '../../test/journeys/people.ts';
import type { System } from '../../test/journeys/system.ts';
import type { Stage, View } from './browser.ts';

/* What the tests of disputes, refunds and breaks look for on their pages. */

export const PASSWORD = 'a long enough secret';

export const section = ({ page }: View, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });

/** Disputes a part of a deposit at the sandbox. */
export const dispute = (system: System, deposit_id: number, dispute_id: string, amount: number) =>
  retryWhile503(() =>
    sandboxEvent(system, { id: `evt-${dispute_id}`, type: 'dispute.opened', deposit_id, dispute_id, amount }),
  );

/** The sandbox has no deadlines. */
export const setDeadline = (stage: Stage, id: number, days: number) =>
  stage.system.sql('wallet', `update dispute set evidence_due_at = now() + interval '${days} days' where id = ${id}`);

export const LOOKS = (['en', 'fr'] as const).flatMap((language) =>
  (['desktop', 'phone'] as const).map((width) => ({ language, width })),
);
