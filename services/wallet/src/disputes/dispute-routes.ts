import { z } from 'zod';
import { command } from '@tutoring/shared/contract/command';
import { exportHandler } from '@tutoring/shared/kit/commands/export-page';
import type { Reader } from '@tutoring/shared/kit/database/open';
import { pathId, pickFields } from '@tutoring/shared/kit/http/declare/fields';
import { listRoute, userMustExist } from '@tutoring/shared/kit/http/declare/page';
import { route } from '@tutoring/shared/kit/http/declare/route';
import { disputeNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import type { Cursor } from '../records/record.ts';
import { debtSchema, disputeDetail, disputeFilter, disputeSchema, writeOff, type DisputeRow } from './dispute.ts';
import { writeOffDebt } from './dispute-service.ts';
import { createDisputeList, findDispute, listDebts, listOwnDisputes, listSteps } from './dispute-store.ts';
import { evidenceSchema } from './evidence.ts';
import { evidenceOf } from './evidence-service.ts';

/** For administrators: the routes of one dispute. */
const ofDispute = {
  auth: 'admin' as const,
  right: 'money' as const,
  params: z.object({ id: pathId() }),
  notFound: disputeNotFound,
};

export function disputeRoutes(parts: Parts) {
  const { database, people, publicUrl } = parts;
  const listDisputes = createDisputeList();

  async function shown(found: DisputeRow[]) {
    const attached = await people.attach(found);
    return attached.map(({ user: { id, name }, ...dispute }) =>
      pickFields(disputeSchema, { ...dispute, user: { id, name } }),
    );
  }
  const shownOne = async (dispute: DisputeRow) => (await shown([dispute]))[0]!;

  return [
    route('get /api/wallet/debts', {
      summary: 'What the caller owes',
      description:
        'For students. A payment provider has taken back a payment of which the money was already spent: the rest is ' +
        'owed. With the setting `recover_debts` later deposits pay it first.',
      auth: 'student',
      response: z.array(debtSchema),
      handle: ({ caller }) => listDebts(database.manager, caller.id),
    }),
    listRoute('post /api/admin/disputesall', {
      summary: 'Disputes, newest first',
      description:
        'For administrators. Paged. A dispute is money that a payment provider takes back, or asks about, for a payer; ' +
        'a refund made at the provider is one with the reason `refund`. `filter_value` searches the provider’s id, the ' +
        'reason and the user, or is an exact id. An unknown `user_id` is a 422; an unknown `deposit_id` has no disputes.',
      auth: 'admin',
      right: 'money',
      body: disputeFilter,
      rules: userMustExist(people),
      item: disputeSchema,
      publicUrl,
      list: async (filter, window) => {
        const { items, total } = await listDisputes(database.standby.manager, filter, window);
        return { items: await shown(items), total };
      },
    }),
    route('get /api/admin/disputes/{id}', {
      summary: 'A dispute with its timeline',
      description:
        'For administrators. `timeline` has each status, and `taken`, `returned`, `recovered` and `written_off` when ' +
        'its money moved.',
      ...ofDispute,
      response: disputeDetail,
      handle: async ({ params: { id } }) => {
        const dispute = await findDispute(database.manager, id);
        return dispute && { ...(await shownOne(dispute)), timeline: await listSteps(database.manager, id) };
      },
    }),
    route('get /api/admin/disputes/{id}/evidence', {
      summary: 'Evidence about a dispute',
      description:
        'For administrators. What the deposit bought, oldest money first: calls with their times, steps and receipts, ' +
        'and both names; and the networks (/24) from which the student signed in. It never contains messages.',
      ...ofDispute,
      response: evidenceSchema,
      errors: ['unavailable'],
      handle: ({ params: { id } }) => evidenceOf(parts, id),
    }),
    route('post /api/admin/disputes/{id}/write-off', {
      summary: 'Write off the debt of a dispute',
      description:
        'For super administrators. `owed` becomes zero: the platform bears the loss. The audit log stores `reason`. ' +
        'Repeated, it changes nothing.',
      auth: 'su',
      params: ofDispute.params,
      notFound: disputeNotFound,
      body: writeOff,
      response: disputeSchema,
      handle: async ({ params: { id }, body, caller }) => shownOne(await writeOffDebt(parts, caller, id, body.reason)),
    }),
    command(
      'disputes.export',
      exportHandler(database.standby.manager, async (reader: Reader, userId: number, window: Cursor) =>
        shown(await listOwnDisputes(reader, userId, window)),
      ),
    ),
  ];
}
