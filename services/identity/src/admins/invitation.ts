import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { email, text, timestamp } from '@tutoring/shared/kit/http/declare/fields';
import { ROLE_NAMES } from '@tutoring/shared/contract/rights';
import { password } from '../registration/registration.ts';
import { roleList } from './admin.ts';

/** How long an invitation can be accepted; a resend begins this time again. */
export const INVITATION_HOURS = 72;

const TOKEN_BYTES = 32;
export const newInvitationToken = () => randomBytes(TOKEN_BYTES).toString('base64url');

/** The page of the dashboard that accepts the invitation. Browsers do not send the fragment, so no log contains it. */
export const invitationLink = (publicUrl: string, token: string) => `${publicUrl}/admin/invitation#${token}`;

export const invitationView = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    email: z.string().meta({ example: 'awa@example.com' }),
    name: z.string().meta({ example: 'Ada Mensah' }),
    roles: z.array(z.enum(ROLE_NAMES)).meta({ example: ['support'] }),
    status: z.enum(['open', 'accepted', 'expired', 'withdrawn']),
    invited_by: z
      .strictObject({ id: z.int().meta({ example: 1 }), name: z.string().meta({ example: 'Ada Mensah' }) })
      .meta({ id: 'Inviter' }),
    expires_at: timestamp(),
    created_at: timestamp(),
  })
  .meta({ id: 'Invitation' });
export type InvitationView = z.infer<typeof invitationView>;

export const newInvitation = z.object({
  email: email(),
  name: text().meta({ example: 'Ada Mensah' }),
  roles: roleList(),
});
export type NewInvitation = z.output<typeof newInvitation>;

export const acceptance = z.object({
  token: text(1_000).meta({ example: 'Q2Fuw6kgZGVzIGludml0YXRpb25zIGQnZXhlbXBsZSE' }),
  password: password(),
  phone_number: text(50).optional().meta({ example: '+22890112233' }),
});
export type Acceptance = z.output<typeof acceptance>;
