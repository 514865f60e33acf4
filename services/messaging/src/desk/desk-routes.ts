import { z } from 'zod';
import { named } from '@tutoring/shared/contract/named';
import { confirmation, pathId } from '@tutoring/shared/kit/http/declare/fields';
import { listRoute } from '@tutoring/shared/kit/http/declare/page';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { sentences, type RuleViolation } from '@tutoring/shared/kit/http/read/validation';
import { caseNotFound, noteNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { listAgents } from '../people/admin-store.ts';
import { supportCase } from '../support/case.ts';
import { findCase } from '../support/case-store.ts';
import { caseCounts, caseFilter } from './case-list.ts';
import { countCases, listCaseIds } from './case-list-store.ts';
import { caseChange, caseDetail, newCase, presenceAnswer, presenceBody } from './desk-case.ts';
import { beginCase, changeCase, readCase, showCases } from './desk-service.ts';
import { deskStats, statsPeriod } from './desk-stats.ts';
import { readStats } from './desk-stats-store.ts';
import { newNote, note } from './note.ts';
import { addNote, changeNote, removeNote } from './note-service.ts';

export const OF_DESK = { auth: 'admin', right: 'desk' } as const;
const ofCase = { ...OF_DESK, params: z.object({ id: pathId() }), notFound: caseNotFound };
const ofNote = { ...OF_DESK, params: z.object({ note_id: pathId() }), notFound: noteNotFound };

/** The rule that a field is the id of an existing case. */
export const caseMustExist =
  ({ database }: Parts) =>
  async ({ fields }: { fields: { case_id?: number | undefined } }): Promise<RuleViolation[]> =>
    fields.case_id === undefined || (await findCase(database.manager, fields.case_id))
      ? []
      : [[['case_id'], sentences.selected]];

const personMustExist =
  ({ people }: Parts) =>
  async ({ fields }: { fields: { user_id?: number | undefined } }): Promise<RuleViolation[]> =>
    fields.user_id === undefined || (await people.find([fields.user_id])).has(fields.user_id)
      ? []
      : [[['user_id'], sentences.selected]];

/** The desk: the cases of all support rooms. */
export const deskRoutes = (parts: Parts): Route[] => [
  listRoute('post /api/admin/desk/casesall', {
    ...OF_DESK,
    summary: 'Support cases, longest wait first',
    description:
      'For administrators. Paged. `order` `asc` reverses `sort`. A search takes the newest 300 matching messages and ' +
      'the newest 300 matching notes of all cases, then filters their cases; of names it finds up to 300 cases that pass ' +
      'the filters. `filter_value` is the same as `q`.',
    body: caseFilter,
    rules: personMustExist(parts),
    item: supportCase,
    publicUrl: parts.publicUrl,
    list: async (filter, window, caller) => {
      const { ids, total } = await listCaseIds(parts.database.standby, filter, caller.id, window);
      return { items: await showCases(parts, ids), total };
    },
  }),
  route('get /api/admin/desk/agents', {
    ...OF_DESK,
    summary: 'Administrators who can have support cases',
    description: 'For administrators. The active administrators with the right `desk`, by name.',
    response: z.array(named),
    handle: () => listAgents(parts.database.manager),
  }),
  route('get /api/admin/desk/counts', {
    ...OF_DESK,
    summary: 'Numbers of support cases',
    description: 'For administrators.',
    response: caseCounts,
    handle: ({ caller }) => countCases(parts.database.manager, caller.id),
  }),
  route('get /api/admin/desk/stats', {
    ...OF_DESK,
    summary: 'What the desk did in these days',
    description:
      'For administrators. UTC days, both included, 366 at most. Each figure counts what happened in these days; ' +
      '`resolution` counts from the last opening; an agent has the cases that he resolved.',
    query: statsPeriod,
    response: deskStats,
    handle: ({ query }) => readStats(parts.database.standby.manager, query),
  }),
  route('put /api/admin/desk/presence', {
    ...OF_DESK,
    summary: 'Tell the desk what you do with a case',
    description:
      'For administrators. Answers with the other administrators who are at the case. A state lasts 15 seconds: send it ' +
      'again before. The desk receives `desk.presence`.',
    body: presenceBody,
    rules: caseMustExist(parts),
    response: presenceAnswer,
    handle: ({ body: { case_id: caseId, state }, caller: { id, name } }) => {
      parts.presence.announce({ case_id: caseId, id, name, state });
      return { others: parts.presence.others(caseId, id) };
    },
  }),
  route('post /api/admin/desk/cases', {
    ...OF_DESK,
    summary: 'Begin a support case',
    description:
      'For administrators. Sends the message to the user, who gets a push, and assigns the case to its author. 409 while ' +
      'a case of the user is open or snoozed, and when the account is deleted.',
    body: newCase,
    rules: personMustExist(parts),
    response: supportCase,
    errors: ['conflict'],
    idempotent: true,
    handle: ({ body, caller, once }) => beginCase(parts, caller, body, once),
  }),
  route('get /api/admin/desk/cases/{id}', {
    ...ofCase,
    summary: 'A support case with its notes and timeline',
    description:
      'For administrators. Its messages are those of `GET api/admin/rooms/{uuid}`. `timeline` has the newest 1,000 ' +
      'lines, `others` the newest 100 cases. A rating that is changed again and again gets at most 20 lines in a row.',
    response: caseDetail,
    handle: ({ params }) => readCase(parts, params.id),
  }),
  route('put /api/admin/desk/cases/{id}', {
    ...ofCase,
    summary: 'Change a support case',
    description:
      'For administrators. Only the fields that are sent change. `open` can follow `snoozed` and `resolved`, `snoozed` ' +
      'only `open`, `resolved` both. Resolving sends `support.resolved` to the user. 409 for another version than ' +
      '`expected_version`, for a state that cannot follow, for opening a case while another one of the user is open, ' +
      'and for a subject when the account is deleted.',
    body: caseChange,
    response: supportCase,
    errors: ['conflict'],
    handle: ({ params, body, caller }) => changeCase(parts, caller, params.id, body),
  }),
  route('post /api/admin/desk/cases/{id}/notes', {
    ...ofCase,
    summary: 'Add a note to a support case',
    description:
      'For administrators. The user never sees a note. A case has at most 500: beyond that a 409, also when the account ' +
      'is deleted.',
    body: newNote,
    response: note,
    errors: ['conflict'],
    idempotent: true,
    handle: ({ params: { id }, body, caller, once }) => addNote(parts, caller, { id, ...body }, once),
  }),
  route('put /api/admin/desk/notes/{note_id}', {
    ...ofNote,
    summary: 'Change an own note',
    description: 'For administrators: only its author, otherwise 403.',
    body: newNote,
    response: note,
    handle: ({ params, body, caller }) => changeNote(parts, caller, { id: params.note_id, ...body }),
  }),
  route('delete /api/admin/desk/notes/{note_id}', {
    ...ofNote,
    summary: 'Delete a note',
    description: 'For administrators: its author and super administrators, otherwise 403.',
    response: confirmation,
    handle: ({ params, caller }) => removeNote(parts, caller, params.note_id),
  }),
];
