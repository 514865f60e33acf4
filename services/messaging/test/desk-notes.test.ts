import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isPublic } from '@tutoring/shared/kit/http/declare/route';
import { ALL_RIGHTS } from '@tutoring/shared/contract/rights';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { user } from '@tutoring/shared/testing/user';
import { startDesk, type Desk } from './desk-kit.ts';

/* A note never leaves the desk. */

const CANARY = 'qzcanary-7f3a';
const logged: string[] = [];
const log = new Writable({
  write: (chunk: Buffer, _encoding, done) => {
    logged.push(chunk.toString());
    done();
  },
});

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk({ logger: createLogger('messaging', 'trace', log) });
});
afterAll(() => desk.stop());

const noteOf = (path: string, text: string, who = desk.ada) => who.post(`${path}/notes`, { text });

describe('a note', () => {
  test('is added, shown with the case, changed by its author and deleted', async () => {
    const asked = await desk.asks();
    const { status, body } = await noteOf(asked.path, 'Ask finance');
    const time = expect.stringMatching(/Z$/);
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(Number),
        text: 'Ask finance',
        author: { id: 1, name: 'Ada' },
        created_at: time,
        updated_at: body.created_at,
      },
    ]);
    const changed = await desk.ada.put(`/api/admin/desk/notes/${body.id}`, { text: 'Asked' });
    expect(changed.body).toMatchObject({ id: body.id, text: 'Asked', created_at: body.created_at });
    expect((await desk.ada.get(asked.path)).body).toMatchObject({ version: 1, notes: [changed.body] });
    expect(await desk.caseEvents(asked.case.id)).toHaveLength(1);
    const gone = await desk.ada.delete(`/api/admin/desk/notes/${body.id}`);
    expect([gone.status, gone.body]).toEqual([200, { message: 'The note has been deleted.' }]);
    expect((await desk.ada.get(asked.path)).body.notes).toEqual([]);
    expect((await desk.service.published('admin.acted')).at(-1)).toMatchObject({
      action: 'support_note.deleted',
      subject: `support_note:${body.id}`,
      before: { case_id: asked.case.id, author_id: 1, created_at: body.created_at },
      after: null,
    });
  });

  test('is changed by its author alone, and deleted by its author or a super administrator', async () => {
    const asked = await desk.asks();
    const { id } = (await noteOf(asked.path, 'x')).body;
    const path = `/api/admin/desk/notes/${id}`;
    const refused = [403, 'Only its author can change a note.'];
    for (const answer of [
      await desk.bob.put(path, { text: 'y' }),
      await desk.su.put(path, { text: 'y' }),
      await desk.bob.delete(path),
    ])
      expect([answer.status, answer.body.message]).toEqual(refused);
    expect((await desk.su.delete(path)).status).toBe(200);
    expect((await desk.ada.put(path, { text: 'y' })).status).toBe(404);
    expect((await desk.ada.delete(path)).status).toBe(404);
  });

  test('has 1 to 10,000 characters, and a case', async () => {
    const asked = await desk.asks();
    expect((await noteOf(asked.path, 'x'.repeat(10_000))).status).toBe(200);
    expect((await noteOf(asked.path, 'x'.repeat(10_001))).status).toBe(422);
    expect((await noteOf(asked.path, ' ')).status).toBe(422);
    expect((await noteOf('/api/admin/desk/cases/987654', 'x')).status).toBe(404);
  });

  test('is added once by requests with the same key', async () => {
    const asked = await desk.asks();
    for (const _time of [1, 2])
      await desk.ada.post(`${asked.path}/notes`, { text: 'once' }, { 'idempotency-key': `n-${asked.id}` });
    expect((await desk.ada.get(asked.path)).body.notes).toHaveLength(1);
  });
});

test('a canary in a note is in nothing that anybody but the desk gets', async () => {
  const asked = await desk.asks();
  await desk.service.receive('devices.changed', { user_id: asked.id, device_keys: ['d'], language: 'en', version: 1 });
  const { id } = (await noteOf(asked.path, `secret ${CANARY}`)).body;
  await desk.ada.put(`/api/admin/desk/notes/${id}`, { text: `changed ${CANARY}` });
  await noteOf(asked.path, `another ${CANARY}`);
  await desk.ada.put(asked.path, { state: 'snoozed', labels: ['x'], subject: 'y', assignee_id: 2 });
  await desk.reply(asked.case.room_uuid, { message: 'Answer', resolve: true });
  await asked.api.post('/api/support/rating', { score: 5 });
  await desk.service.runJob('push');
  // The desk finds it.
  expect((await desk.ada.post('/api/admin/desk/casesall', { q: CANARY.toUpperCase() })).body.total).toBe(1);
  expect((await desk.ada.get(asked.path)).text).toContain(CANARY);

  const others = ALL_RIGHTS.filter((right) => right !== 'desk');
  const outsider = desk.service.api.as({
    kind: 'admin',
    id: 5,
    name: 'Oz',
    level: 'default',
    tokenId: 5,
    rights: others,
  });
  const identity = desk.service.api.service('identity');
  const callers = [asked.api, outsider, identity, desk.service.api.anonymous];
  const seen: string[] = [];
  for (const { method, path } of desk.service.service.parts.routes)
    for (const caller of callers) {
      const filled = path
        .replace('{uuid}', asked.case.room_uuid)
        .replace('{note_id}', String(id))
        .replace('/users/{id}', `/users/${asked.id}`)
        .replace('{id}', String(asked.case.id));
      const answer =
        method === 'get' || method === 'delete'
          ? await caller[method](filled.replace('stats/days', 'stats/days?from=2026-01-01&to=2026-01-02'))
          : await caller[method](filled, { filter_value: CANARY, q: CANARY, message: 'x' });
      seen.push(`${method} ${path} ${JSON.stringify([...answer.headers])} ${answer.text}`);
    }
  expect(seen.length).toBeGreaterThan(100);
  expect(desk.service.service.parts.routes.filter(isPublic).length).toBeGreaterThan(35);
  for (const table of ['outbox', 'push', 'support_message', 'support_case', 'support_case_event', 'room', 'message'])
    seen.push(
      ...(await desk.service.rows<object>(`select * from ${table}`)).map((row) => `${table} ${JSON.stringify(row)}`),
    );
  seen.push(...(await desk.messaging.pushes()).map((push) => JSON.stringify(push)), ...logged);
  expect(logged.length).toBeGreaterThan(0);
  expect(seen.filter((text) => text.includes(CANARY))).toEqual([]);
  // The stored answer to a request with a key is the author's own.
  expect((await desk.service.asOwner('select * from support_note')).length).toBeGreaterThan(0);
});

test('the deletion of an account erases subject, notes and comment; the numbers stay', async () => {
  const asked = await desk.asks(`My secret ${CANARY}`);
  await noteOf(asked.path, 'about this person');
  await desk.reply(asked.case.room_uuid, { message: 'Done.', resolve: true });
  await asked.api.post('/api/support/rating', { score: 2, comment: 'Slow' });
  await desk.messaging.meet(user(asked.id, 'student', { deleted: true, name: 'Deleted user', version: 2 }));
  const { body } = await desk.ada.get(asked.path);
  expect(body).toMatchObject({
    ...{ subject: '', notes: [], rating: { score: 2, comment: null }, state: 'resolved' },
    user: { name: 'Deleted user' },
  });
  expect((await desk.caseEvents(asked.case.id)).at(-1)!.data).toMatchObject({ subject: '', rating: { comment: null } });
  const refused = [409, 'The account of this person is deleted.'];
  for (const answer of [await noteOf(asked.path, 'late'), await desk.ada.put(asked.path, { subject: 'late' })])
    expect([answer.status, answer.body.message]).toEqual(refused);
});

test("the export has the person's cases, without notes; a snoozed case is open", async () => {
  const asked = await desk.asks('First');
  await noteOf(asked.path, 'hidden');
  await desk.ada.put(asked.path, { state: 'resolved' });
  await asked.api.post('/api/support/rating', { score: 3, comment: 'So so' });
  const next = await desk.ada.post('/api/admin/desk/cases', { user_id: asked.id, message: 'Second' });
  await desk.ada.put(`/api/admin/desk/cases/${next.body.id}`, { state: 'snoozed' });
  const { body } = await desk.service.api.service('identity').get(`/internal/users/${asked.id}/support-cases`);
  const time = expect.stringMatching(/Z$/);
  expect(body).toEqual({
    items: [
      { id: next.body.id, state: 'open', subject: 'Second', created_at: time, resolved_at: null, rating: null },
      {
        ...{ id: asked.case.id, state: 'resolved', subject: 'First', created_at: time, resolved_at: time },
        rating: { score: 3, comment: 'So so' },
      },
    ],
    next: null,
  });
});
