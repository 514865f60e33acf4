import { z } from 'zod';
import { confirmation, pathId } from '@tutoring/shared/kit/http/declare/fields';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { replyNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { adminNames } from '../people/admin-store.ts';
import { findCase } from '../support/case-store.ts';
import { caseMustExist, OF_DESK } from './desk-routes.ts';
import {
  newSavedReply,
  renderBody,
  renderedReply,
  renderReply,
  savedReply,
  showSavedReply,
  type SavedReply,
} from './saved-reply.ts';
import { changeReply, createReply, removeReply } from './saved-reply-service.ts';
import { findReply, languageOf, listReplies } from './saved-reply-store.ts';

const ofReply = { ...OF_DESK, params: z.object({ id: pathId() }), notFound: replyNotFound };

/** Texts that the desk sends often. */
export function savedReplyRoutes(parts: Parts): Route[] {
  const { manager } = parts.database;
  async function shown(replies: SavedReply[]) {
    const nameOf = await adminNames(
      manager,
      replies.map(({ created_by }) => created_by),
    );
    return replies.map((stored) => showSavedReply(stored, nameOf));
  }
  return [
    route('get /api/admin/desk/replies', {
      ...OF_DESK,
      summary: 'Saved replies, by shortcut',
      description: 'For administrators.',
      response: z.array(savedReply),
      handle: async () => shown(await listReplies(manager)),
    }),
    route('post /api/admin/desk/replies', {
      ...OF_DESK,
      summary: 'Save a reply',
      description:
        'For administrators. `{{user.name}}`, `{{user.first_name}}`, `{{agent.name}}` and `{{case.id}}` in its texts are ' +
        'filled in by `render`. A shortcut in use is a 422. There are at most 500 replies: beyond that a 409.',
      body: newSavedReply,
      response: savedReply,
      errors: ['conflict'],
      idempotent: true,
      handle: ({ body, caller, once }) => createReply(parts, caller, body, once),
    }),
    route('get /api/admin/desk/replies/{id}', {
      ...ofReply,
      summary: 'A saved reply',
      description: 'For administrators.',
      response: savedReply,
      handle: async ({ params }) => {
        const found = await findReply(manager, params.id);
        return found && (await shown([found]))[0];
      },
    }),
    route('put /api/admin/desk/replies/{id}', {
      ...ofReply,
      summary: 'Change a saved reply',
      description: 'For administrators. Replaces shortcut and texts. A shortcut in use is a 422.',
      body: newSavedReply,
      response: savedReply,
      handle: ({ params, body, caller }) => changeReply(parts, caller, params.id, body),
    }),
    route('delete /api/admin/desk/replies/{id}', {
      ...ofReply,
      summary: 'Delete a saved reply',
      description: 'For administrators.',
      response: confirmation,
      handle: ({ params, caller }) => removeReply(parts, caller, params.id),
    }),
    route('post /api/admin/desk/replies/{id}/render', {
      ...ofReply,
      summary: 'Fill in a saved reply for a case',
      description: "For administrators. In the user's language. Unknown fields stay as they are. Sends nothing.",
      body: renderBody,
      rules: caseMustExist(parts),
      response: renderedReply,
      handle: async ({ params, body, caller }) => {
        const [reply, found] = await Promise.all([findReply(manager, params.id), findCase(manager, body.case_id)]);
        if (!reply || !found) return undefined;
        const [personOf, language] = await Promise.all([
          parts.people.load([found.user_id]),
          languageOf(manager, found.user_id),
        ]);
        const fields = { user: personOf(found.user_id).name, agent: caller.name, caseId: found.id };
        return { text: renderReply(reply, language, fields) };
      },
    }),
  ];
}
