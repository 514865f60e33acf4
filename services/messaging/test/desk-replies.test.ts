import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { user } from '@tutoring/shared/testing/user';
import { renderReply } from '../src/desk/saved-reply.ts';
import { startDesk, type Desk } from './desk-kit.ts';

const PATH = '/api/admin/desk/replies';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

const texts = { text_en: 'Hello {{user.first_name}}', text_fr: 'Bonjour {{user.first_name}}' };

describe('saved replies', () => {
  test('are created, listed by shortcut, changed and deleted by whoever has desk, with audit entries', async () => {
    const { status, body } = await desk.ada.post(PATH, { shortcut: 'hello', ...texts });
    const time = expect.stringMatching(/Z$/);
    expect([status, body]).toEqual([
      200,
      {
        ...{ id: expect.any(Number), shortcut: 'hello', ...texts, created_by: { id: 1, name: 'Ada' } },
        ...{ created_at: time, updated_at: body.created_at },
      },
    ]);
    await desk.ada.post(PATH, { shortcut: 'bye', ...texts });
    expect((await desk.bob.get(PATH)).body.map(({ shortcut }: { shortcut: string }) => shortcut)).toEqual([
      ...['bye', 'hello'],
    ]);
    const change = { shortcut: 'hi', text_en: 'Hi', text_fr: 'Salut' };
    const changed = await desk.bob.put(`${PATH}/${body.id}`, change);
    expect(changed.body).toMatchObject({ id: body.id, ...change, created_by: { id: 1 } });
    await desk.bob.put(`${PATH}/${body.id}`, change);
    expect((await desk.ada.get(`${PATH}/${body.id}`)).body).toEqual(changed.body);
    const gone = await desk.bob.delete(`${PATH}/${body.id}`);
    expect([gone.status, gone.body]).toEqual([200, { message: 'The saved reply has been deleted.' }]);
    expect((await desk.ada.get(`${PATH}/${body.id}`)).status).toBe(404);
    const acted = (await desk.service.published('admin.acted')).filter(
      ({ subject }) => subject === `support_reply:${body.id}`,
    );
    expect(acted.map(({ action, admin_name, before, after }) => [action, admin_name, before, after])).toEqual([
      ['support_reply.created', 'Ada', null, { shortcut: 'hello', ...texts }],
      ['support_reply.updated', 'Bob', { shortcut: 'hello', ...texts }, change],
      ['support_reply.deleted', 'Bob', change, null],
    ]);
  });

  test('have a shortcut of their own', async () => {
    const one = await desk.ada.post(PATH, { shortcut: 'one', ...texts });
    const two = await desk.ada.post(PATH, { shortcut: 'two', ...texts });
    const taken = { shortcut: ['The shortcut has already been taken.'] };
    const again = await desk.ada.post(PATH, { shortcut: 'one', ...texts });
    expect([again.status, again.body.errors]).toEqual([422, taken]);
    const renamed = await desk.ada.put(`${PATH}/${two.body.id}`, { shortcut: 'one', ...texts });
    expect([renamed.status, renamed.body.errors]).toEqual([422, taken]);
    expect((await desk.ada.put(`${PATH}/${one.body.id}`, { shortcut: 'one', ...texts })).status).toBe(200);
    const both = await Promise.all([1, 2].map(() => desk.ada.post(PATH, { shortcut: 'race', ...texts })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    const key = { 'idempotency-key': 'reply' };
    const keyed = [1, 2].map(() => desk.ada.post(PATH, { shortcut: 'keyed', ...texts }, key));
    expect((await Promise.all(keyed)).map(({ status }) => status)).toContain(200);
  });

  test.each([
    [{ shortcut: 'Hello', ...texts }, 'shortcut'],
    [{ shortcut: 'a b', ...texts }, 'shortcut'],
    [{ shortcut: 'x'.repeat(41), ...texts }, 'shortcut'],
    [{ ...texts }, 'shortcut'],
    [{ shortcut: 'only_en', text_en: 'x' }, 'text_fr'],
    [{ shortcut: 'only-fr', text_fr: 'x' }, 'text_en'],
  ])('%j is a 422', async (body, field) => {
    const answer = await desk.ada.post(PATH, body);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
  });
});

describe('render', () => {
  test("fills in the fields in the person's language", async () => {
    const asked = await desk.asks();
    await desk.messaging.meet(user(asked.id, 'student', { name: 'Awa  Ndiaye {{agent.name}}', version: 2 }));
    const text = '{{user.name}}|{{ user.first_name }}|{{agent.name}}|{{case.id}}|{{unknown}}|{{user.email}}';
    const { body: reply } = await desk.ada.post(PATH, {
      shortcut: 'all',
      text_en: `en ${text}`,
      text_fr: `fr ${text}`,
    });
    const render = async () => (await desk.bob.post(`${PATH}/${reply.id}/render`, { case_id: asked.case.id })).body;
    const filled = `Awa  Ndiaye {{agent.name}}|Awa|Bob|${asked.case.id}|{{unknown}}|{{user.email}}`;
    expect(await render()).toEqual({ text: `en ${filled}` });
    const devices = { user_id: asked.id, device_keys: [], language: 'fr' as const, version: 1 };
    await desk.service.receive('devices.changed', devices);
    expect(await render()).toEqual({ text: `fr ${filled}` });
  });

  test('of an unknown case is a 422, of an unknown reply a 404', async () => {
    const asked = await desk.asks();
    const { body: reply } = await desk.ada.post(PATH, { shortcut: 'some', ...texts });
    for (const body of [{}, { case_id: 987_654 }, { case_id: 'x' }])
      expect((await desk.ada.post(`${PATH}/${reply.id}/render`, body)).status).toBe(422);
    expect((await desk.ada.post(`${PATH}/987654/render`, { case_id: asked.case.id })).status).toBe(404);
  });

  test('knows no other field, not even of an object', () => {
    const reply = { text_en: '{{constructor}} {{user.constructor}} {{case.id}}', text_fr: '' };
    expect(renderReply(reply, 'en', { user: '', agent: '', caseId: 3 })).toBe('{{constructor}} {{user.constructor}} 3');
  });
});
