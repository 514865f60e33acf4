import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { confirmation } from '@tutoring/shared/kit/http/declare/fields';
import { Reply, route, type Route } from '@tutoring/shared/kit/http/declare/route';
import type { Parts } from '../parts.ts';
import * as users from '../users/user-service.ts';
import { AVATAR_PATH, userView } from '../users/user.ts';
import * as deletion from './deletion-service.ts';
import * as profile from './profile-service.ts';
import { deletionBody, profileBody } from './profile.ts';

/** The default photo. */
const AVATAR = readFileSync(new URL('../../assets/avatar.png', import.meta.url));

export const profileRoutes = (parts: Parts): Route[] => [
  route(`get ${AVATAR_PATH}`, {
    summary: 'The default photo',
    description: 'Public. The photo of users who have not set one. An image, without the envelope.',
    auth: 'public',
    response: z.instanceof(Uint8Array).meta({ override: { type: 'string', format: 'binary' } }),
    produces: 'image/png',
    handle: () => new Reply(AVATAR),
  }),
  route('get /api/me', {
    summary: 'Own profile',
    description:
      'For students and teachers. `solde` is the amount that the caller can spend now. Unset texts are empty.',
    auth: 'user',
    response: userView,
    errors: ['not_found'],
    handle: ({ caller }) => users.show(parts, caller.id),
  }),
  route('put /api/me', {
    summary: "Change the caller's profile",
    description:
      'For students and teachers. Only the fields that are sent change. A new `password` needs `current_password` ' +
      'and ends every session; 422 for a password that is among the most common or contains the name or the name ' +
      'part of the e-mail. A new `email` or `phone_number` also needs `current_password`; the first request sends a ' +
      'code to the new address (422 on `code`), and the change takes effect when the request is repeated with that ' +
      '`code`. It ends every other session, and the old address is notified. An account without a password also gets ' +
      'a code at the old e-mail or phone number (422 on `old_code`) and repeats the request with both codes. An ' +
      'unproven e-mail counts as a new one.',
    auth: 'user',
    body: profileBody,
    rules: ({ fields, caller }) => profile.rules(parts, caller, fields),
    response: userView,
    errors: ['not_found'],
    handle: ({ body, caller, request }) => profile.update(parts, caller, body, request.clientAddress),
  }),
  route('delete /api/me', {
    summary: "Delete the caller's account",
    description:
      'For students and teachers; cannot be undone. Needs the `password` or a `code`: a request without either sends ' +
      'the code and returns a 422; a wrong password or code is a 422 too. 409 during a call, with an open ' +
      'withdrawal, or with money left unless `forfeit` is true (a student cannot withdraw it). Messages and other ' +
      'shared data stay, without the name.',
    auth: 'user',
    body: deletionBody,
    response: confirmation,
    errors: ['not_found', 'conflict'],
    handle: ({ body, caller, request }) => deletion.remove(parts, caller, body, request.clientAddress),
  }),
];
