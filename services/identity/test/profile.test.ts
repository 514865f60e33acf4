import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { userView } from '../src/users/user.ts';
import { PASSWORD, startIdentity, type TestIdentity } from './identity.ts';
import { serve, type LocalServer } from './issuer.ts';

/** Answers of wallet and calls; `asked` has the paths of the requests. */
const peers = {
  live: false,
  money: { balance: 0, open_withdrawals: 0 },
  available: 800,
  asked: [] as string[],
  down: false,
};
let others: LocalServer;
let service: TestIdentity;
beforeAll(async () => {
  others = await serve(({ pathname }, sent) => {
    peers.asked.push(pathname);
    if (peers.down) return { status: 503, body: { code: 'unavailable', message: 'down' } };
    if (pathname.endsWith('/live-call')) return { body: { live: peers.live } };
    if (pathname.endsWith('/obligations')) return { body: peers.money };
    if (pathname.endsWith('/forfeit')) return { body: {} };
    const money = { balance: 900, held: 100, available: peers.available, currency: 'XOF', version: 3 };
    return { body: (sent as { user_ids: number[] }).user_ids.map((user_id) => ({ user_id, ...money })) };
  });
  service = await startIdentity({ WALLET_URL: others.url, CALLS_URL: others.url });
});
afterAll(async () => {
  await service.end();
  await others.close();
});

const errorsOf = (answer: { status: number; body: { errors: unknown } }) => [answer.status, answer.body.errors];

describe('GET api/me', () => {
  test('the profile and the answer to a login have the current balance of wallet', async () => {
    const user = await service.user();
    // A repeated login must not end the other sessions.
    const balanceAtLogin = async () => {
      const { body } = await service.login(user.email);
      const tokenId = Number(String(body.token).split('|')[0]);
      if (body.user) await service.api.as({ ...user.caller, tokenId }).post('/api/auth/logout');
      return body.user?.solde;
    };
    for (const available of [800, 650]) {
      peers.available = available;
      // A busy wallet does not answer in time, and identity has no other balance of this user.
      await eventually('the profile', async () => (await user.api.get('/api/me')).body.solde === available);
      await eventually('a login', async () => (await balanceAtLogin()) === available);
    }
    peers.available = 800;
  });

  test("the profile has the balance of wallet's newest event while wallet is unavailable", async () => {
    const user = await service.user();
    const balance = { user_id: user.id, balance: 50, held: 0, available: 50, currency: 'XOF' };
    await service.receive('balance.changed', { ...balance, version: 4 });
    await service.receive('balance.changed', { ...balance, available: 1, version: 2 });
    peers.down = true;
    expect((await user.api.get('/api/me')).body.solde).toBe(50);
    peers.down = false;
  });

  test('the profile has its keys in the order of the API reference', async () => {
    const { text } = await (await service.user()).api.get('/api/me');
    expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(userView.shape));
  });

  test('the profile has a balance of 0 before the first one from wallet; 401 and 403 for other callers', async () => {
    const user = await service.user();
    peers.down = true;
    expect((await user.api.get('/api/me')).body.solde).toBe(0);
    peers.down = false;
    expect((await service.api.anonymous.get('/api/me')).status).toBe(401);
    expect((await service.api.admin().get('/api/me')).status).toBe(403);
  });

  test.each([
    ['', 'http://public.test/api/assets/avatar.png'],
    ['javascript:alert(1)', 'http://public.test/api/assets/avatar.png'],
    ['https://img.test/x.png', 'https://img.test/x.png'],
    ['/uploads/x.png', 'http://public.test/uploads/x.png'],
    ['word', 'http://public.test/api/assets/avatar.png'],
  ])('the photo %j of a registration is shown as %s', async (photo, url) => {
    const user = await service.user({ photo });
    expect(user.view.photo).toBe(url);
  });

  test('the default photo is a PNG of 192 pixels', async () => {
    const answer = await fetch(`${service.url}/api/assets/avatar.png`);
    expect(answer.headers.get('content-type')).toBe('image/png');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([192, 192]);
  });
});

describe('PUT api/me', () => {
  /** Identity shows this balance of its copy when a busy wallet does not answer in time. */
  const receiveBalance = (user: { id: number }) => {
    const money = { balance: 900, held: 100, available: 800, currency: 'XOF', version: 3 };
    return service.receive('balance.changed', { user_id: user.id, ...money });
  };

  test('a photo is an absolute URL; null and an empty text restore the default photo', async () => {
    const user = await service.user();
    const put = (photo: unknown) => user.api.put('/api/me', { photo });
    for (const photo of [
      'word',
      'javascript:alert(1)',
      '/uploads/x.png',
      'https://',
      'https:img.test/x.png',
      'ftp://a.b/c',
    ]) {
      const answer = await put(photo);
      expect([photo, answer.status, answer.body.errors]).toEqual([
        photo,
        422,
        { photo: ['The photo field must be a valid URL.'] },
      ]);
    }
    expect((await put('https://img.test/x.png')).body.photo).toBe('https://img.test/x.png');
    for (const none of ['', null])
      expect((await put(none)).body.photo).toBe('http://public.test/api/assets/avatar.png');
  });

  test('an update changes given fields, clears null and empty ones, and publishes the event', async () => {
    const user = await service.user({ platform: 'teacher', bio: 'Old', city: 'Abidjan', country: 'CI' });
    await receiveBalance(user);
    const changes = {
      name: 'New Name',
      bio: null,
      city: '',
      plan: 2,
      domains: [3],
      experience: '7',
      availability: 'Evenings',
    };
    const answer = await user.api.put('/api/me', changes);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ...user.view,
        solde: 800,
        name: 'New Name',
        bio: null,
        city: '',
        plan_id: 2,
        domains: 'Chemistry',
        experience: 7,
        availability: 'Evenings',
        updated_at: expect.any(String),
      },
    ]);
    const events = (await service.published('user.changed')).filter((event) => event.id === user.id);
    expect(events.at(-1)).toMatchObject({
      version: 2,
      name: 'New Name',
      plan_id: 2,
      domains: ['Chemistry'],
      country: 'CI',
    });
  });

  test('users cannot change their verification, status, platform, balance or ids', async () => {
    const user = await service.user();
    await receiveBalance(user);
    const answer = await user.api.put('/api/me', {
      verified: true,
      status: 'banned',
      platform: 'teacher',
      solde: 9,
      id: 1,
      plan: 1,
      gauth_type: 'google',
      level: 'su',
    });
    expect(answer.body).toEqual({ ...user.view, solde: 800, updated_at: expect.any(String) });
  });

  test.each<[string, object, object]>([
    [
      'an unknown plan and skill',
      { plan: 999, domains: [1, 999] },
      { plan: ['The selected plan is invalid.'], 'domains.1': ['The selected domains.1 is invalid.'] },
    ],
    ['a bad e-mail', { email: 'x' }, { email: ['The email field must be a valid email address.'] }],
    ['a bad phone number', { phone_number: '12' }, { phone_number: ['The phone number field format is invalid.'] }],
    [
      'a new password without the current one',
      { password: 'a new password' },
      { current_password: ['The current password field is required when password is present.'] },
    ],
    [
      'a wrong current password',
      { password: 'a new password', current_password: 'wrong' },
      { current_password: ['The password is incorrect.'] },
    ],
    [
      'a new e-mail and a new phone number at once',
      { email: 'two@example.com', phone_number: '+2250701010101', current_password: PASSWORD },
      { phone_number: ['Change the email and the phone number one at a time.'] },
    ],
  ])('an update with %s is a 422', async (_name, body, errors) => {
    const user = await service.user();
    expect(errorsOf(await user.api.put('/api/me', body))).toEqual([422, errors]);
  });

  test('a new password ends every session and notifies the owner', async () => {
    const user = await service.user();
    const answer = await user.api.put('/api/me', { password: 'a new password', current_password: PASSWORD });
    expect(answer.status).toBe(200);
    expect((await service.verifyToken(user.token)).status).toBe(401);
    expect((await service.login(user.email, 'a new password')).status).toBe(200);
    await eventually('the notice', async () =>
      (await service.mailsTo(user.email)).some((mail) => /changed/.test(mail.subject)),
    );
  });
});
