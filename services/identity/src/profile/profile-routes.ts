import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { done } from '@tutoring/shared/http/declare/fields';
import { Reply, route, type Route } from '@tutoring/shared/http/declare/route';
import type { Parts } from '../parts.ts';
import { AVATAR_PATH, userView } from '../users/user.ts';
import type { Deletion } from './deletion-service.ts';
import { deletionBody, profileBody } from './profile.ts';
import type { Profile } from './profile-service.ts';

/** The photo of people who have none. */
const AVATAR = readFileSync(new URL('../../assets/avatar.png', import.meta.url));

export const profileRoutes = ({ users }: Parts, profile: Profile, deletion: Deletion): Route[] => [
  route(`get ${AVATAR_PATH}`, {
    summary: 'The default photo',
    description: 'Public. The picture of everybody who has set no photo. Not JSON and in no envelope.',
    auth: 'public',
    response: z.instanceof(Uint8Array).meta({ override: { type: 'string', format: 'binary' } }),
    produces: 'image/png',
    handle: () => new Reply(AVATAR),
  }),
  route('get /api/me', {
    summary: 'Own profile',
    description: 'For students and teachers. `solde` is what the caller can spend now. Unset texts are empty.',
    auth: 'user',
    response: userView,
    errors: ['not_found'],
    handle: ({ caller }) => users.show(caller.id),
  }),
  route('put /api/me', {
    summary: 'Change the own profile',
    description:
      'For students and teachers. Only the fields that are sent change. A new `password` needs ' +
      '`current_password` and ends every session; one that is among the most common, or has the name or e-mail ' +
      'name in it, is a 422. A new `email` or `phone_number` needs `current_password` too, and is sent a code then ' +
      '(422 on `code`); it takes effect when the request is repeated with that `code`, ends every other session ' +
      'and is told to the old address. An account without a password is sent a second code, to the old e-mail or ' +
      'phone number (422 on `old_code`), and repeats the request with both. An e-mail that is not proven counts as ' +
      'a new one.',
    auth: 'user',
    body: profileBody,
    rules: ({ fields, caller }) => profile.rules(caller, fields),
    response: userView,
    errors: ['not_found'],
    handle: ({ body, caller, request }) => profile.update(caller, body, request.clientAddress),
  }),
  route('delete /api/me', {
    summary: 'Delete the own account',
    description:
      'For students and teachers; for good. Needs the `password`, or the `code` that a request without either ' +
      'sends, as its 422 says; a wrong one is a 422. 409 during a call, with an open withdrawal, or with money left unless ' +
      '`forfeit` is true (a student cannot withdraw it). What others keep, such as messages, loses the name.',
    auth: 'user',
    body: deletionBody,
    response: done,
    errors: ['not_found', 'conflict'],
    handle: ({ body, caller, request }) => deletion.remove(caller, body, request.clientAddress),
  }),
];
