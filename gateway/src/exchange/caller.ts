import type { AdminCaller, UserCaller } from '@tutoring/shared/identity/auth';
import type { ServiceName } from '@tutoring/shared/process/names';

/** The owner of a good bearer token. */
export type Bearer = UserCaller | AdminCaller;

/** What is known about a bearer token. `unknown`: identity could not be reached. */
export type BearerVerdict =
  | {
      kind: 'good';
      caller: Bearer;
      /** An administrator who has to set up a second factor before anything else. */
      needsTotp: boolean;
      identity(audience: ServiceName): string;
    }
  | { kind: 'bad' | 'unknown' };

export const subjectOf = (caller: Bearer) => `${caller.kind}:${caller.id}`;
