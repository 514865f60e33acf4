import type { z } from 'zod';
import { supportCase } from '@tutoring/shared/contract/desk';
import type { Person } from '../people/person.ts';
import type { CaseFacts } from './case-move.ts';
import { showSupportMessage, type SupportMessage, type SupportRoom } from './support.ts';

export { supportCase };

/** A case as it is stored. */
export interface SupportCase extends CaseFacts {
  id: number;
  room_uuid: string;
  user_id: number;
  changed_by: number | null;
  version: number;
  created_at: string;
  updated_at: string;
}

/** A case with what its room and its assignee say about it. */
export interface SeenCase extends SupportCase {
  assignee_name: string | null;
  unread: number;
  room: Pick<SupportRoom, 'user_read_id' | 'staff_read_id' | 'user_last_id' | 'staff_last_id'>;
  now: string;
}

export type ShownCase = z.input<typeof supportCase>;

export const ratingOf = ({ score, comment }: Pick<SupportCase, 'score' | 'comment'>) =>
  score === null ? null : { score, comment };

/** A case as administrators see it. The times of its last message are relative to the moment of reading. */
export function showCase(seen: SeenCase, person: Person, last: SupportMessage | undefined): ShownCase {
  const room = { ...seen.room, uuid: seen.room_uuid, user_id: seen.user_id } as SupportRoom;
  return {
    id: seen.id,
    room_uuid: seen.room_uuid,
    user: { id: seen.user_id, name: person.name, photo: person.photo, platform: person.platform },
    state: seen.state,
    assignee: seen.assignee_id === null ? null : { id: seen.assignee_id, name: seen.assignee_name ?? '' },
    labels: seen.labels,
    snoozed_until: seen.snoozed_until,
    subject: seen.subject,
    waiting_since: seen.waiting_since,
    first_reply_at: seen.first_reply_at,
    resolved_at: seen.resolved_at,
    reopened: seen.reopened,
    rating: ratingOf(seen),
    last_message: last ? showSupportMessage(room, last, seen.now) : null,
    unread: seen.unread,
    version: seen.version,
    created_at: seen.created_at,
    updated_at: seen.updated_at,
  };
}
