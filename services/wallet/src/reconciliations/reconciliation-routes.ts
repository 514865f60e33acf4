import { route } from '@tutoring/shared/kit/http/declare/route';
import type { Parts } from '../parts.ts';
import { reconciliationForm, reconciliationSchema } from './reconciliation.ts';
import { reconcile } from './reconciliation-service.ts';

export const reconciliationRoutes = (parts: Parts) => [
  route('post /api/admin/reconciliations', {
    summary: "Compare a provider's report with the ledger",
    description:
      'For administrators. A form with the fields `file` (in the form of the results of a batch), `provider`, `from` and ' +
      '`to` (UTC days, both included; `to` at most 366 days after `from`). Compares payouts by reference, of the methods of ' +
      'which the report names any, and deposits by `provider_ref` where the report ' +
      'has any. Every difference becomes a break; no money moves. The same report again answers the first comparison.',
    auth: 'admin',
    right: 'payout',
    upload: true,
    form: reconciliationForm,
    response: reconciliationSchema,
    handle: ({ caller, request }) => reconcile(parts, caller, request.upload),
  }),
];
