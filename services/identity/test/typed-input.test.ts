import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { hash as argon2 } from '@node-rs/argon2';
import { TOTP } from 'otpauth';
import { PASSWORD, startIdentity, unique, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterEach(() => service.shiftClock(0));
afterAll(() => service.end());

const post = (path: string, body: object, address = '203.0.113.9') =>
  service.api.anonymous.post(`/api/${path}`, body, { 'x-client-address': address });

/** `code` in the digits of the script whose zero is given. */
const inScript = (zero: string, code: string) =>
  [...code].map((digit) => String.fromCodePoint(zero.codePointAt(0)! + Number(digit))).join('');
const pieces = (code: string, between: string) => `${code.slice(0, 3)}${between}${code.slice(3)}`;
const TYPED: [string, (code: string) => string][] = [
  ['a space', (code) => pieces(code, ' ')],
  ['a no-break space and a leading space', (code) => ` ${pieces(code, '\u202f')}`],
  ['a hyphen', (code) => pieces(code, '-')],
  ['a dash and direction marks', (code) => `\u200e${pieces(code, '–')}\u202c`],
  ['Arabic digits', (code) => inScript('٠', code)],
  ['Persian digits', (code) => inScript('۰', code)],
  ['full-width digits and hyphen', (code) => pieces(inScript('０', code), '－')],
];

describe('a code is read as people type it', () => {
  test.each(TYPED)('a code with %s is accepted, also after four wrong tries', async (_name, typed) => {
    const { email } = await service.user();
    await post('auth/reset-password-send-code', { email });
    const code = await service.codeTo(email, 2);
    const wrong = code === '000000' ? '000001' : '000000';
    const attempt = async (given: string) =>
      (await post('auth/reset-password-verify-code', { email, code: typed(given) })).status;
    for (let n = 0; n < 4; n += 1) expect(await attempt(wrong)).toBe(404);
    const counted = await service.rows(`select tries from code_try where subject = $1 and network <> ''`, [email]);
    expect(counted).toEqual([{ tries: 4 }]);
    expect(await attempt(code)).toBe(200);
  });

  test('codes of registrations, logins by phone and changes of address are read as typed', async () => {
    const phone = { gauth_type: 'phone_number', phone_number: '+2250701029901' };
    const body = service.submission({ ...phone, password: undefined });
    await post('auth/register', body);
    const code = inScript('٠', await service.codeTo(phone.phone_number));
    const verified = await post('auth/register/verify', { ...body, code: pieces(code, ' ') });
    expect(verified.status).toBe(200);
    await post('auth/login/send-code', phone);
    const password = pieces(await service.codeTo(phone.phone_number, 2), '-');
    expect((await post('auth/login', { ...phone, password })).status).toBe(200);
    const user = await service.user();
    const change = { email: `new-${unique()}@example.com`, current_password: PASSWORD };
    await user.api.put('/api/me', change);
    const changed = await user.api.put('/api/me', {
      ...change,
      code: inScript('０', await service.codeTo(change.email)),
    });
    expect([changed.status, changed.body.email]).toEqual([200, change.email]);
  });

  test('codes of an authenticator app and recovery codes are read as typed', async () => {
    const admin = await service.admin();
    const { secret } = (await admin.api.post('/api/admin/auth/totp', { current_password: PASSWORD })).body as {
      secret: string;
    };
    const codeAt = (seconds: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + seconds * 1_000 });
    const on = await admin.api.put('/api/admin/auth/totp', { code: pieces(inScript('۰', codeAt(0)), '\u200b') });
    expect(on.status).toBe(200);
    const [first, second] = on.body.recovery_codes as [string, string];
    const fullWidth = (text: string) =>
      [...text].map((sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)).join('');
    for (const code of [
      pieces(inScript('０', codeAt(30)), '-'),
      fullWidth(first),
      second.toLowerCase().replaceAll('-', '–'),
    ])
      expect((await post('admin/auth/login', { email: admin.email, password: PASSWORD, code })).status).toBe(200);
  });
});

describe('invisible characters around a text', () => {
  const around = (text: string) => `\u200e\ufeff${text}\u2060 \u2800`;

  test('invisible characters around an e-mail are ignored at registration, login, reset and admin login', async () => {
    const body = service.submission();
    const registered = await post('auth/register', { ...body, email: around(body.email) });
    expect([registered.status, registered.body.user.email]).toEqual([200, body.email]);
    const code = await service.codeTo(body.email);
    expect((await post('auth/register/verify', { ...body, email: around(body.email), code })).status).toBe(200);
    expect((await post('auth/login', { email: around(body.email), password: PASSWORD })).status).toBe(200);
    await post('auth/reset-password-send-code', { email: around(body.email) });
    const entered = { email: around(body.email), code: await service.codeTo(body.email, 2) };
    const { reset_token } = (await post('auth/reset-password-verify-code', entered)).body as { reset_token: string };
    const reset = { email: around(body.email), password: 'a better password', reset_token };
    expect((await post('auth/reset-password', reset)).status).toBe(200);
    const admin = await service.admin();
    expect((await post('admin/auth/login', { email: around(admin.email), password: PASSWORD })).status).toBe(200);
  });

  test('a name of invisible characters only is missing; flags, emoji and joiners inside words stay', async () => {
    const user = await service.user();
    const names = ['\u3164', '\u2800\u200b', '\u{E0041}\ufe0f', '\u115f \u1160'];
    for (const name of names) {
      const refused = await post('auth/register', service.submission({ name }));
      expect([refused.status, refused.body.errors]).toEqual([422, { name: ['The name field is required.'] }]);
      expect((await user.api.put('/api/me', { name })).body.name).toBe(user.view.name);
    }
    const scotland = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}';
    for (const name of [`Awa ${scotland}`, 'Awa ❤\ufe0f', 'می\u200cخواهم', 'Awa 👩\u200d👧'])
      expect((await user.api.put('/api/me', { name: `\u200b${name} \u00ad` })).body.name).toBe(name);
    expect((await user.api.put('/api/me', { city: '\u200b', bio: '\u3164' })).body).toMatchObject({
      city: '',
      bio: null,
    });
  });
});

describe('a password', () => {
  const NFC = 'mot de passe tr\u00e8s s\u00fbr';
  const NFD = NFC.normalize('NFD');
  const options = { memoryCost: 64, timeCost: 1, parallelism: 1 };
  const hashOf = async (id: number) =>
    (
      await service.rows<{ password_hash: string }>(
        `select password_hash from account where id = $1 union all select password_hash from admin where id = $1`,
        [id],
      )
    )[0]!.password_hash;

  test.each([
    ['chosen decomposed and typed composed', NFD, NFC],
    ['chosen composed and typed decomposed', NFC, NFD],
    ['chosen partly composed and typed composed', 'mot de passe tr\u00e8s su\u0302r', NFC],
  ])('a password %s is the same password', async (_name, chosen, typed) => {
    const user = await service.user({ password: chosen });
    expect((await service.login(user.email, typed)).status).toBe(200);
    expect((await service.login(user.email, typed.replace('s', 'z'))).status).toBe(404);
    const change = { password: 'another password', current_password: typed };
    expect((await user.api.put('/api/me', change)).status).toBe(200);
  });

  test.each([
    ['decomposed', NFD, NFC],
    ['partly composed', 'mot de passe tr\u00e8s su\u0302r', 'mot de passe tr\u00e8s su\u0302r'],
  ])('a password whose hash is of %s text logs in, and the hash is replaced', async (_name, stored, typed) => {
    const user = await service.user();
    const old = await argon2(stored, options);
    await service.rows('update account set password_hash = $2 where id = $1', [user.id, old]);
    const logins = await Promise.all([1, 2, 3].map(() => service.login(user.email, typed)));
    expect(logins.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await hashOf(user.id)).not.toBe(old);
    expect((await service.login(user.email, NFC)).status).toBe(200);
    const credentials = { email: user.email, password: NFC };
    expect((await user.api.post('/api/auth/getToken', credentials)).status).toBe(200);
  });

  test('a password whose hash is of decomposed text confirms a change; a wrong password keeps the hash', async () => {
    const user = await service.user();
    const old = await argon2(NFD, options);
    await service.rows('update account set password_hash = $2 where id = $1', [user.id, old]);
    expect((await service.login(user.email, 'mot de passe tre\u0300s sur')).status).toBe(404);
    expect(await hashOf(user.id)).toBe(old);
    const change = { password: 'another password', current_password: NFC };
    expect((await user.api.put('/api/me', change)).status).toBe(200);
    expect((await service.login(user.email, 'another password')).status).toBe(200);
  });

  test('the password of an administrator is compared in the same way', async () => {
    const admin = await service.admin();
    const old = await argon2(NFD, options);
    await service.rows('update admin set password_hash = $2 where id = $1', [admin.id, old]);
    const login = await post('admin/auth/login', { email: admin.email, password: NFC });
    expect(login.status).toBe(200);
    expect(await hashOf(admin.id)).not.toBe(old);
    const change = { name: 'Bob', password: 'another password', current_password: NFD };
    expect((await admin.api.put('/api/admin/auth/me', change)).status).toBe(200);
  });

  test('a login during a lock-out keeps the hash', async () => {
    const user = await service.user();
    const old = await argon2(NFD, options);
    await service.rows('update account set password_hash = $2 where id = $1', [user.id, old]);
    const lock = `insert into login_failure (account, network, locked_until) values ($1, '192.0.2.0/24', app_now() + interval '1 minute')`;
    await service.rows(lock, [`user:${user.email}`]);
    expect((await post('auth/login', { email: user.email, password: NFC }, '192.0.2.1')).status).toBe(404);
    expect(await hashOf(user.id)).toBe(old);
  });

  test('spaces and invisible characters around a password count', async () => {
    const user = await service.user({ password: '\u200ba good secret ' });
    expect((await service.login(user.email, 'a good secret')).status).toBe(404);
    expect((await service.login(user.email, '\u200ba good secret ')).status).toBe(200);
  });
});
