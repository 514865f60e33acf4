import { column, requiredRow, row, rows, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import { INVITATION_HOURS, type InvitationView, type NewInvitation } from './invitation.ts';

const VALID_FOR = `make_interval(hours => ${INVITATION_HOURS})`;
const INVITATION = `id, email, name, roles,
  case when status = 'open' and expires_at <= app_now() then 'expired' else status end as status,
  json_build_object('id', inviter_id, 'name', inviter_name) as invited_by, expires_at, created_at`;

/** Most invitations in the list. */
const MAX_LISTED = 1_000;

/** Newest first. */
export const listInvitations = (reader: Reader) =>
  rows<InvitationView>(reader, `select ${INVITATION} from admin_invitation order by id desc limit ${MAX_LISTED}`);

export const lockInvitation = (tx: Tx, id: number) =>
  row<InvitationView>(tx, `select ${INVITATION} from admin_invitation where id = $1 for update`, [id]);

/** Makes invitations of one address wait for each other until the end of `tx`. */
export const lockInvited = (tx: Tx, emailKey: string) =>
  rows(tx, `select pg_advisory_xact_lock(hashtextextended('invitation:' || $1, 0))`, [emailKey]);

/** Ends the open invitations of an address. Returns the ids of those that had not expired. */
export const withdrawInvitations = (tx: Tx, emailKey: string) =>
  column<number>(
    tx,
    `with ended as (
       update admin_invitation set updated_at = app_now(),
         status = case when expires_at <= app_now() then 'expired' else 'withdrawn' end
       where email_key = $1 and status = 'open' returning id, status)
     select id from ended where status = 'withdrawn'`,
    [emailKey],
  );

type New = NewInvitation & { email_key: string; token_hash: Buffer; inviter_id: number; inviter_name: string };

const INSERT = `insert into admin_invitation
    (email, name, roles, email_key, token_hash, inviter_id, inviter_name, created_at, updated_at, expires_at)
  select $1, $2, $3, $4, $5, $6, $7, at, at, at + ${VALID_FOR} from (select app_now() as at) moment
  returning ${INVITATION}`;

export const insertInvitation = (tx: Tx, invitation: New) => {
  const { email, name, roles, email_key: key, token_hash: hash, inviter_id: id, inviter_name: inviter } = invitation;
  return requiredRow<InvitationView>(tx, INSERT, [email, name, roles, key, hash, id, inviter]);
};

/** Replaces the token; the time to accept begins again. */
export const renew = (tx: Tx, id: number, tokenHash: Buffer) =>
  requiredRow<InvitationView>(
    tx,
    `update admin_invitation set token_hash = $2, expires_at = app_now() + ${VALID_FOR}, updated_at = app_now()
     where id = $1 returning ${INVITATION}`,
    [id, tokenHash],
  );

export const endInvitation = (tx: Tx, id: number, status: 'accepted' | 'withdrawn') =>
  rows(tx, 'update admin_invitation set status = $2, updated_at = app_now() where id = $1', [id, status]);

const OPEN_BY_TOKEN = `select ${INVITATION} from admin_invitation
  where token_hash = $1 and status = 'open' and expires_at > app_now()`;

/** The open invitation with this token. */
export const openInvitation = (reader: Reader, tokenHash: Buffer) =>
  row<InvitationView>(reader, OPEN_BY_TOKEN, [tokenHash]);
export const lockOpenInvitation = (tx: Tx, tokenHash: Buffer) =>
  row<InvitationView>(tx, `${OPEN_BY_TOKEN} for update`, [tokenHash]);
