import { assertThat } from '@tutoring/shared/kit/errors';
import type { Tx } from '@tutoring/shared/kit/database/open';
import type { Actor } from '@tutoring/shared/contract/admin-action';
import { emailKey } from '@tutoring/shared/kit/http/declare/email';
import { invalidField, sentences } from '@tutoring/shared/kit/http/read/validation';
import type { Once } from '@tutoring/shared/kit/http/declare/route';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import { distinctRoles } from '@tutoring/shared/contract/rights';
import { currentLanguage } from '@tutoring/shared/kit/process/context';
import { recordAction } from '../audit/audit-service.ts';
import { assertUncommon } from '../credentials/common-password.ts';
import * as delivery from '../delivery/delivery-service.ts';
import { conflict, found, notFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import { secretHash } from '../tokens/token.ts';
import * as admins from './admin-service.ts';
import { adminByEmail } from './admin-store.ts';
import * as store from './invitation-store.ts';
import {
  invitationLink,
  newInvitationToken,
  type Acceptance,
  type InvitationView,
  type NewInvitation,
} from './invitation.ts';

const subjectOf = ({ id }: Pick<InvitationView, 'id'>) => `invitation:${id}`;
const factsOf = ({ email, name, roles, expires_at }: InvitationView) => ({ email, name, roles, expires_at });

const failed = () => notFound(texts.resetFailed);

/* Invitations of administrators: a link by mail, with which the invited person sets the own password. */

/** Invites a person, and ends an earlier invitation of the address. Throws invalid for an administrator's address. */
export async function invite(parts: Parts, tx: Tx, inviter: Actor, given: NewInvitation) {
  const key = emailKey(given.email);
  await store.lockInvited(tx, key);
  assertThat(!(await adminByEmail(tx, key)), () => invalidField('email', sentences.taken));
  for (const id of await store.withdrawInvitations(tx, key))
    await recordAction(tx, inviter, 'invitation.deleted', subjectOf({ id }), {});
  const token = newInvitationToken();
  const { email, name } = given;
  const invitation = await store.insertInvitation(tx, {
    email,
    name,
    roles: distinctRoles(given.roles),
    email_key: key,
    token_hash: secretHash(token),
    inviter_id: inviter.id,
    inviter_name: inviter.name,
  });
  await recordAction(tx, inviter, 'invitation.created', subjectOf(invitation), { after: factsOf(invitation) });
  const link = invitationLink(parts.publicUrl, token);
  await delivery.invite(parts, tx, email, link, currentLanguage());
  return { invitation, link };
}

/** The invitation, locked. Throws not_found, and conflict unless it is open. */
async function lockOpen(tx: Tx, id: number): Promise<InvitationView> {
  const invitation = found(await store.lockInvitation(tx, id));
  assertThat(invitation.status === 'open', () => conflict(texts.invitationOver));
  return invitation;
}

export const create = (parts: Parts, caller: AdminCaller, given: NewInvitation, once: Once) =>
  once(parts.database, async (tx) => (await invite(parts, tx, caller, given)).invitation);

/** Sends a new link; the old one ends. */
export async function resend(parts: Parts, caller: AdminCaller, id: number) {
  await parts.database.transact(async (tx) => {
    const before = await lockOpen(tx, id);
    const token = newInvitationToken();
    const after = await store.renew(tx, id, secretHash(token));
    const facts = { before: { expires_at: before.expires_at }, after: { expires_at: after.expires_at } };
    await recordAction(tx, caller, 'invitation.resent', subjectOf(after), facts);
    await delivery.invite(parts, tx, after.email, invitationLink(parts.publicUrl, token), currentLanguage());
  });
  return { message: texts.invitationSent };
}

export async function withdraw({ database }: Parts, caller: AdminCaller, id: number) {
  await database.transact(async (tx) => {
    const invitation = await lockOpen(tx, id);
    await store.endInvitation(tx, id, 'withdrawn');
    await recordAction(tx, caller, 'invitation.deleted', subjectOf(invitation), { before: factsOf(invitation) });
  });
  return { message: texts.invitationWithdrawn };
}

/**
 * Creates the administrator, who can log in at once. Throws the same not_found unless the token is that of an open
 * invitation, and invalid for a common password; the token stays valid then.
 */
export async function accept(parts: Parts, { token, password, ...given }: Acceptance, address: string) {
  const phone_number = given.phone_number ?? null;
  const tokenHash = secretHash(token);
  // Before the password is hashed, which is expensive.
  const invited = await store.openInvitation(parts.database.manager, tokenHash);
  assertThat(invited, failed);
  await assertUncommon(password, invited.name, invited.email);
  const hash = await admins.hashOf(parts, invited.email, password, address);
  await parts.database.transact(async (tx) => {
    const invitation = await store.lockOpenInvitation(tx, tokenHash);
    assertThat(invitation, failed);
    await store.endInvitation(tx, invitation.id, 'accepted');
    const { email, name, roles } = invitation;
    const admin = await admins.add(tx, undefined, { email, name, roles, phone_number, password_hash: hash });
    // The address has become that of an administrator in another way.
    assertThat(admin, failed);
    await recordAction(tx, admin, 'invitation.accepted', subjectOf(invitation), { after: { admin_id: admin.id } });
  });
  return { message: texts.invitationAccepted };
}
