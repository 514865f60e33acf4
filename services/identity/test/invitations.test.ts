import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { startIdentity, unique, type TestIdentity } from './identity.ts';

let service: TestIdentity;
let su: Awaited<ReturnType<TestIdentity['su']>>;
beforeAll(async () => {
  service = await startIdentity();
  su = await service.su();
});
afterAll(() => service.end());

const PASSWORD = 'a strong secret of mine';
const answerOf = (answer: { status: number; body: unknown }) => [answer.status, answer.body];
const FAILED = [404, { code: 'not_found', message: 'An error occurred, please restart the process.' }];
const OVER = [409, { code: 'conflict', message: 'The invitation is no longer open.' }];
const ACCEPTED = [200, { message: 'Your account has been created. Please log in.' }];

const newEmail = () => `ivy-${unique()}@example.com`;
const invite = (email: string, more: object = {}, headers: Record<string, string> = {}) =>
  su.api.post('/api/admin/invitations', { email, name: 'Ivy League', roles: ['support'], ...more }, headers);
const accept = (token: unknown, more: object = {}) =>
  service.api.anonymous.post('/api/admin/auth/invitations/accept', { token, password: PASSWORD, ...more });
const listed = async (id: number) =>
  (await su.api.get('/api/admin/invitations')).body.find((one: { id: number }) => one.id === id);
const actionsOn = async (subject: string) =>
  (await service.published('admin.acted')).filter((entry) => entry.subject === subject);

/** The token in the `count`-th mail to an address. */
const tokenTo = (email: string, count = 1) =>
  eventually(`invitation ${count} to ${email}`, async () => {
    const mails = await service.mailsTo(email);
    return (
      mails[count - 1] && /^http:\/\/public\.test\/admin\/invitation#([\w-]{43})$/m.exec(mails[count - 1]!.text)?.[1]
    );
  });

describe('an invitation', () => {
  test('is mailed with a link, accepted once, and makes an administrator with its roles', async () => {
    const email = newEmail();
    const created = await invite(email, { roles: ['viewer', 'support', 'viewer'] });
    const invitation = {
      id: expect.any(Number),
      email,
      name: 'Ivy League',
      roles: ['support', 'viewer'],
      status: 'open',
      invited_by: { id: su.id, name: 'Administrator' },
      expires_at: expect.stringMatching(/[.]\d{6}Z$/),
      created_at: expect.stringMatching(/[.]\d{6}Z$/),
    };
    expect(answerOf(created)).toEqual([200, invitation]);
    expect(Object.keys(JSON.parse(created.text))).toEqual(Object.keys(invitation));
    const { id, expires_at, created_at } = created.body;
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(72 * 3_600_000);
    expect((await su.api.get('/api/admin/invitations')).body[0]).toEqual(created.body);
    const token = await tokenTo(email);
    expect(JSON.stringify(await service.rows('select * from admin_invitation'))).not.toContain(token);
    expect(JSON.stringify(await service.published('admin.acted'))).not.toContain(token);

    expect(answerOf(await accept(token, { phone_number: '+2250700000001' }))).toEqual(ACCEPTED);
    expect(answerOf(await accept(token))).toEqual(FAILED);
    expect(await listed(id)).toEqual({ ...created.body, status: 'accepted' });
    const entered = await service.api.anonymous.post('/api/admin/auth/login', { email, password: PASSWORD });
    expect(entered.body.admin).toMatchObject({
      name: 'Ivy League',
      email,
      phone_number: '+2250700000001',
      level: 'default',
      status: 'active',
    });
    const { caller } = (await service.verifyToken(entered.body.token)).body;
    expect(caller.rights).toEqual(['people', 'trust', 'desk', 'lessons', 'figures']);
    const adminId = entered.body.admin.id;
    expect(await actionsOn(`invitation:${id}`)).toMatchObject([
      { admin_id: su.id, action: 'invitation.created', after: { email, roles: ['support', 'viewer'] } },
      { admin_id: adminId, action: 'invitation.accepted', after: { admin_id: adminId } },
    ]);
    expect(await actionsOn(`admin:${adminId}`)).toMatchObject([{ admin_id: adminId, action: 'admin.created' }]);
    expect(answerOf(await su.api.delete(`/api/admin/invitations/${id}`))).toEqual(OVER);
    expect(answerOf(await su.api.post(`/api/admin/invitations/${id}/resend`))).toEqual(OVER);
  });

  test('without a phone number makes an administrator without one', async () => {
    const email = newEmail();
    await invite(email);
    expect(answerOf(await accept(await tokenTo(email), { phone_number: '' }))).toEqual(ACCEPTED);
    const entered = await service.api.anonymous.post('/api/admin/auth/login', { email, password: PASSWORD });
    expect(entered.body.admin.phone_number).toBeNull();
  });

  test('is accepted by one of several simultaneous requests', async () => {
    const email = newEmail();
    await invite(email);
    const token = await tokenTo(email);
    const answers = await Promise.all(Array.from({ length: 5 }, () => accept(token)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404, 404]);
  });

  test('replaces an open one of the address, in any spelling; the old link ends', async () => {
    const email = newEmail();
    const first = await invite(email);
    const old = await tokenTo(email);
    const second = await invite(email.toUpperCase());
    const replaced = await listed(first.body.id);
    expect(replaced.status).toBe('withdrawn');
    expect((await actionsOn(`invitation:${first.body.id}`)).map(({ action }) => action)).toEqual([
      'invitation.created',
      'invitation.deleted',
    ]);
    expect(answerOf(await accept(old))).toEqual(FAILED);
    expect(answerOf(await accept(await tokenTo(email.toUpperCase())))).toEqual(ACCEPTED);
    expect((await listed(second.body.id)).status).toBe('accepted');
  });

  test('of one address is open once, however many are made at once', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 5 }, () => invite(email)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const all = (await su.api.get('/api/admin/invitations')).body.filter(
      (one: { email: string }) => one.email === email,
    );
    expect(all.map(({ status }: { status: string }) => status).toSorted()).toEqual([
      'open',
      ...Array.from({ length: 4 }, () => 'withdrawn'),
    ]);
  });

  test('that is sent again has a new link and time; the old link ends', async () => {
    const email = newEmail();
    const { id } = (await invite(email)).body;
    const old = await tokenTo(email);
    await service.rows(`update admin_invitation set expires_at = app_now() + interval '1 minute' where id = ${id}`);
    expect(answerOf(await su.api.post(`/api/admin/invitations/${id}/resend`))).toEqual([
      200,
      { message: 'The invitation has been sent again.' },
    ]);
    const { expires_at } = await listed(id);
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(71 * 3_600_000);
    expect(answerOf(await accept(old))).toEqual(FAILED);
    expect(answerOf(await accept(await tokenTo(email, 2)))).toEqual(ACCEPTED);
    expect((await actionsOn(`invitation:${id}`))[1]).toMatchObject({ admin_id: su.id, action: 'invitation.resent' });
  });

  test('that was withdrawn or has expired cannot be accepted, sent again or withdrawn', async () => {
    const [one, two] = [newEmail(), newEmail()];
    const withdrawn = (await invite(one)).body.id;
    expect(answerOf(await su.api.delete(`/api/admin/invitations/${withdrawn}`))).toEqual([
      200,
      { message: 'The invitation has been withdrawn.' },
    ]);
    const expired = (await invite(two)).body.id;
    await service.rows(`update admin_invitation set expires_at = app_now() where id = ${expired}`);
    for (const [id, email, status] of [
      [withdrawn, one, 'withdrawn'],
      [expired, two, 'expired'],
    ] as const) {
      expect(answerOf(await accept(await tokenTo(email)))).toEqual(FAILED);
      expect(answerOf(await su.api.delete(`/api/admin/invitations/${id}`))).toEqual(OVER);
      expect(answerOf(await su.api.post(`/api/admin/invitations/${id}/resend`))).toEqual(OVER);
      expect((await listed(id)).status).toBe(status);
    }
    expect((await invite(two)).status).toBe(200);
    expect((await listed(expired)).status).toBe('expired');
    const unknown = [404, { code: 'not_found', message: 'The record could not be found.' }];
    for (const id of ['999999', 'x']) {
      expect(answerOf(await su.api.delete(`/api/admin/invitations/${id}`))).toEqual(unknown);
      expect(answerOf(await su.api.post(`/api/admin/invitations/${id}/resend`))).toEqual(unknown);
    }
  });

  test('needs an address that is no administrator’s, a name and roles', async () => {
    const bob = await service.admin();
    const taken = await invite(bob.email.toUpperCase());
    expect([taken.status, taken.body.errors]).toEqual([422, { email: ['The email has already been taken.'] }]);
    expect((await su.api.post('/api/admin/invitations', {})).body.errors).toEqual({
      email: ['The email field is required.'],
      name: ['The name field is required.'],
      roles: ['The roles field is required.'],
    });
    expect((await invite(newEmail(), { roles: ['su'] })).body.errors).toEqual({
      'roles.0': ['The selected roles.0 is invalid.'],
    });
    expect((await bob.api.post('/api/admin/invitations', {})).status).toBe(403);
    expect((await bob.api.get('/api/admin/invitations')).status).toBe(403);
  });

  test('ends when an administrator with its address is created in another way', async () => {
    const [one, two] = [newEmail(), newEmail()];
    const { id } = (await invite(one)).body;
    const body = { name: 'C', password: PASSWORD, phone_number: '1' };
    expect((await su.api.post('/api/admin/admins', { ...body, email: one })).status).toBe(201);
    expect((await listed(id)).status).toBe('withdrawn');
    expect(answerOf(await accept(await tokenTo(one)))).toEqual(FAILED);
    await invite(two);
    const bob = await service.admin();
    await bob.api.put('/api/admin/auth/me', { email: two, current_password: bob.password });
    expect(answerOf(await accept(await tokenTo(two)))).toEqual(FAILED);
  });

  test('is made once per Idempotency-Key', async () => {
    const email = newEmail();
    const key = { 'idempotency-key': unique() };
    const first = await invite(email, {}, key);
    const again = await invite(email, {}, key);
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([200, first.body, 'true']);
    await tokenTo(email);
    const queued = () => service.rows(`select 1 from outgoing where recipient = '${email}'`);
    await eventually('no further mail is queued', async () => (await queued()).length === 0);
    expect(await service.mailsTo(email)).toHaveLength(1);
  });
});

describe('accepting an invitation', () => {
  test.each([
    ['a short password', { password: 'short' }, { password: ['The password field must be at least 8 characters.'] }],
    ['a common password', { password: 'password1234' }, { password: ['The password is too common.'] }],
    ['the name as password', { password: 'x-Ivy League-y' }, { password: ['The password is too common.'] }],
    ['no password', { password: '' }, { password: ['The password field is required.'] }],
    ['no token', { token: '' }, { token: ['The token field is required.'] }],
    [
      'a phone number that is too long',
      { phone_number: '1'.repeat(51) },
      {
        phone_number: ['The phone number field must not be greater than 50 characters.'],
      },
    ],
  ])('with %s is a 422; the invitation stays open', async (_what, body, errors) => {
    const email = newEmail();
    const { id } = (await invite(email)).body;
    const token = await tokenTo(email);
    const answer = await accept(token, body);
    expect([answer.status, answer.body.errors]).toEqual([422, errors]);
    expect((await listed(id)).status).toBe('open');
    expect(answerOf(await accept(token))).toEqual(ACCEPTED);
  });

  test.each([
    ['an unknown token', 'x'.repeat(43)],
    ['a text that is no token', 'hello'],
    ['a long text', 'x'.repeat(1_000)],
  ])('with %s is the 404 of a used one, whatever the password contains', async (_what, token) => {
    expect(answerOf(await accept(token, { password: 'x-Ivy League-y' }))).toEqual(FAILED);
  });

  test('sends the mail in the language of the inviter, whatever the budget of letters', async () => {
    const email = newEmail();
    await service.rows(`update setting set value = 0 where name = 'max_sends_per_day'`);
    await invite(email, {}, { 'accept-language': 'fr' });
    await tokenTo(email);
    const [mail] = await service.mailsTo(email);
    expect(mail).toMatchObject({ subject: 'Votre invitation comme administrateur' });
    expect(mail).not.toHaveProperty('code');
  });
});
