import { z } from 'zod';
import { confirmation, pathId } from '@tutoring/shared/kit/http/declare/fields';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { commonPassword } from '../credentials/common-password.ts';
import type { Parts } from '../parts.ts';
import { emailRule } from './admin-service.ts';
import * as invitations from './invitation-service.ts';
import { acceptance, invitationView, newInvitation } from './invitation.ts';
import { listInvitations } from './invitation-store.ts';

/** For super administrators: the routes of one invitation. */
const ofOne = {
  auth: 'su' as const,
  params: z.object({ id: pathId() }),
  response: confirmation,
  errors: ['conflict' as const],
};

export const invitationRoutes = (parts: Parts): Route[] => [
  route('get /api/admin/invitations', {
    summary: 'Invitations of administrators, newest first',
    description: 'For super administrators. The newest 1,000, whatever their status.',
    auth: 'su',
    response: z.array(invitationView),
    handle: () => listInvitations(parts.database.manager),
  }),
  route('post /api/admin/invitations', {
    summary: 'Invite an administrator',
    description:
      'For super administrators. Mails a link to a page of the dashboard where the invited person sets a password; the ' +
      'link is valid for 72 hours and works once. An open invitation of the address is withdrawn. 422 for the address ' +
      'of an administrator. Send an `Idempotency-Key`, so that a retry does not send a second mail.',
    auth: 'su',
    idempotent: true,
    body: newInvitation,
    rules: ({ fields }) => emailRule(parts, fields.email),
    response: invitationView,
    handle: ({ body, caller, once }) => invitations.create(parts, caller, body, once),
  }),
  route('post /api/admin/invitations/{id}/resend', {
    summary: 'Send an invitation again',
    description:
      'For super administrators. Mails a new link, which is valid for 72 hours; the old one ends. 409 unless the ' +
      'invitation is open.',
    ...ofOne,
    handle: ({ params: { id }, caller }) => invitations.resend(parts, caller, id),
  }),
  route('delete /api/admin/invitations/{id}', {
    summary: 'Withdraw an invitation',
    description: 'For super administrators. The link ends at once. 409 unless the invitation is open.',
    ...ofOne,
    handle: ({ params: { id }, caller }) => invitations.withdraw(parts, caller, id),
  }),
  route('post /api/admin/auth/invitations/accept', {
    summary: 'Accept an invitation',
    description:
      'Public. `token` is the fragment of the link. Creates the administrator with the level `default` and the roles of ' +
      'the invitation, who then logs in as usual. A wrong, old, used or withdrawn token is the same 404. 422 for a ' +
      'password that is among the most common or contains the name or the name part of the e-mail.',
    auth: 'public',
    body: acceptance,
    rules: ({ fields: { password } }) => commonPassword({ password }),
    response: confirmation,
    errors: ['not_found'],
    handle: ({ body, request }) => invitations.accept(parts, body, request.clientAddress),
  }),
];
