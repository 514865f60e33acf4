import type { Files } from '@tutoring/shared/kit/files/files';
import type { CommandAnswer } from '@tutoring/shared/contract/commands';
import type { InternalClient } from '@tutoring/shared/contract/client';
import type { ServiceDeps } from '@tutoring/shared/contract/service';
import type { MessagingConfig } from './config.ts';
import type { Presence } from './presence/presence.ts';
import type { People } from './people/person-service.ts';

/** The dependencies that the features of this service share. */
export interface Parts extends Pick<ServiceDeps<MessagingConfig>, 'database'> {
  people: People;
  calls: InternalClient<'calls'>;
  /** The user's live call, read from the calls service; null for none. */
  liveCallOf: (userId: number) => Promise<CommandAnswer<'live-call.read-batch'>[number]>;
  files: Files;
  /** At most `SETTINGS_CACHED_MS` old. */
  settings: () => Promise<
    Record<'message_max_length' | 'show_contact_details' | 'file_max_mb' | 'desk_reopen_hours', number>
  >;
  presence: Presence;
  /** Wakes the job that sends queued notifications. */
  wakePush: () => void;
  publicUrl: string;
  /** The secret uuid that room uuids are derived from. */
  namespace: string;
}
