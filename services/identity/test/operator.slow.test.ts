import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cloneDatabase } from '@tutoring/shared/testing/infra';
import { eventually } from '@tutoring/shared/testing/wait';
import { PASSWORD, startIdentity, SUPER, unique, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.end());

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

const OPERATOR = fileURLToPath(new URL('../../../deploy/local/operator.ts', import.meta.url));

const execute = (entry: string, args: string[], environment: Record<string, string | undefined>) =>
  new Promise<{ code: number; out: string; problem: string }>((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '', ...environment };
    const child = execFile(process.execPath, [entry, ...args], { env }, (_error, out, problem) =>
      resolve({ code: child.exitCode ?? -1, out, problem: problem.trim() }),
    );
  });
/** `node src/main.ts ...`, as in the pod of the service. */
const main = (...args: string[]) => execute(MAIN, args, { ...service.environment, LOG_LEVEL: 'fatal' });
const run = (...args: string[]) => main('admin', ...args);
const done = (...lines: (string | RegExp)[]) => ({
  code: 0,
  out: expect.stringMatching(
    new RegExp(
      `^${lines.map((line) => (typeof line === 'string' ? line.replaceAll('.', '\\.') : line.source)).join('\n')}\n$`,
    ),
  ),
  problem: expect.any(String),
});
const refused = (problem: unknown) => ({ code: 1, out: '', problem });
const passwordIn = ({ out }: { out: string }) => /^password: (\S+)$/m.exec(out)?.[1] ?? '';
const login = (email: string, password: string) =>
  service.api.anonymous.post('/api/admin/auth/login', { email, password });
const levelOf = async (token: string) => (await service.verifyToken(token)).body.caller?.level;

/** The audit log of an administrator, oldest first; waits until it has `count` entries. */
const audited = async (id: number, count: number) => {
  const su = await service.su();
  const entries = () => su.api.post('/api/admin/auditall', { filter_value: `admin:${id}`, pageItems: 100 });
  const found = await eventually('the audit log has the entries', async () => {
    const rows = ((await entries()).body.data as { subject: string; admin_id: number }[]).filter(
      (row) => row.subject === `admin:${id}`,
    );
    return rows.length >= count && rows;
  });
  return found.toReversed();
};

describe('the command admin', () => {
  test('create prints a working password of an administrator of the default level', async () => {
    const email = `op-${unique()}@example.com`;
    const created = await run('create', email);
    expect(created).toEqual(done(`created: ${email}`, /password: [A-Za-z0-9]{20}/));
    const entered = await login(email, passwordIn(created));
    expect(entered.body.admin).toMatchObject({ email, level: 'default', status: 'active', phone_number: null });
    const [entry] = await audited(entered.body.admin.id, 1);
    expect(entry).toMatchObject({ admin_id: 0, admin_name: 'operator', action: 'admin.created', before: null });
    expect(JSON.stringify(await service.rows('select * from audit'))).not.toContain(passwordIn(created));
    const [again, listed] = await Promise.all([run('create', email.toUpperCase()), run('list')]);
    expect(again).toEqual(refused(`There is an administrator ${email.toUpperCase()} already.`));
    expect(listed.out).toContain(`${email}\tdefault\tactive\ttotp off\t`);
    expect(listed.out).toContain(`${SUPER.email}\tsu\tactive\ttotp off\tAdministrator\n`);
  });

  test('reset ends every session and leaves the second factor on; totp-off removes it', async () => {
    const admin = await service.admin();
    const { TOTP } = await import('otpauth');
    const { secret } = (await admin.api.post('/api/admin/auth/totp', { current_password: PASSWORD })).body as {
      secret: string;
    };
    await admin.api.put('/api/admin/auth/totp', { code: new TOTP({ secret }).generate() });
    const reset = await run('reset', admin.email);
    expect(reset).toEqual(done(`reset: ${admin.email}`, /password: [A-Za-z0-9]{20}/));
    expect((await service.verifyToken(admin.token)).status).toBe(401);
    expect((await login(admin.email, PASSWORD)).status).toBe(404);
    expect((await login(admin.email, passwordIn(reset))).body.message).toBe('A code is required.');
    expect(await run('totp-off', admin.email)).toEqual(done(`${admin.email}: totp off`));
    expect((await login(admin.email, passwordIn(reset))).status).toBe(200);
    // Creation, two by the administrator and two by the operator.
    expect((await audited(admin.id, 5)).map(({ admin_id }) => admin_id)).toEqual([
      expect.any(Number),
      admin.id,
      admin.id,
      0,
      0,
    ]);
  });

  test('promote and demote take effect on existing tokens', async () => {
    const admin = await service.admin();
    expect(await run('promote', admin.email)).toEqual(done(`${admin.email}: level su`));
    expect(await levelOf(admin.token)).toBe('su');
    const revocation = { subject: `admin:${admin.id}`, token_ids: [Number(admin.token.split('|')[0])] };
    expect(await service.published('tokens.revoked')).toContainEqual(revocation);
    expect(await run('demote', admin.email)).toEqual(done(`${admin.email}: level default`));
    expect(await levelOf(admin.token)).toBe('default');
    expect((await service.published('admin.changed')).at(-1)).toMatchObject({ id: admin.id, level: 'default' });
  });

  test('the last active super administrator cannot be demoted, even by concurrent commands', async () => {
    const nobody = 'Without an active super administrator nobody could change administrators and settings.';
    const [one, two, inactive] = [await service.admin(), await service.admin(), await service.admin()];
    await Promise.all([one, two, inactive].map(({ email }) => run('promote', email)));
    await (await service.su()).api.put(`/api/admin/admins/${inactive.id}`, { status: 'inactive' });
    const answers = await Promise.all([one.email, two.email, SUPER.email].map((email) => run('demote', email)));
    expect(answers.map(({ code }) => code).sort()).toEqual([0, 0, 1]);
    expect(answers.find(({ code }) => code === 1)).toEqual(refused(nobody));
    const left = await service.rows<{ email: string }>(
      `select email from admin where level = 'su' and status = 'active'`,
    );
    expect(left).toHaveLength(1);
    if (left[0]!.email !== SUPER.email) {
      await run('promote', SUPER.email);
      await run('demote', left[0]!.email);
    }
  });

  test('roles replaces the roles on existing tokens, and prints them without a role', async () => {
    const admin = await service.admin();
    expect(await run('roles', admin.email, 'viewer', 'support', 'viewer')).toEqual(
      done(`${admin.email}: roles support, viewer`),
    );
    const { caller } = (await service.verifyToken(admin.token)).body;
    expect(caller.rights).toEqual(['people', 'trust', 'desk', 'lessons', 'figures']);
    expect(await run('roles', admin.email)).toEqual(done(`${admin.email}: roles support, viewer`));
    const entries = await audited(admin.id, 2);
    expect(entries.at(-1)).toMatchObject({ admin_name: 'operator', after: { roles: ['support', 'viewer'] } });
    expect(await run('roles', admin.email, 'boss')).toEqual(
      refused('There is no role boss. The roles are all, support, finance, approver, viewer.'),
    );
    expect(await run('roles', SUPER.email, 'viewer')).toEqual(
      refused('A super administrator has every right and needs no roles.'),
    );
    expect(await run('roles', SUPER.email)).toEqual(done(`${SUPER.email}: roles all`));
  });

  test('invite mails a link that makes an administrator, and prints it', async () => {
    const email = `inv-${unique()}@example.com`;
    const invited = await run('invite', email, 'finance');
    expect(invited).toEqual(done(`invited: ${email}`, /link: http:..public.test.admin.invitation#[\w-]{43}/));
    const token = /#(\S+)/.exec(invited.out)![1];
    const [listed] = (await (await service.su()).api.get('/api/admin/invitations')).body;
    expect(listed).toMatchObject({ email, roles: ['finance'], invited_by: { id: 0, name: 'operator' } });
    await eventually('the mail', async () => (await service.mailsTo(email)).some(({ text }) => text.includes(token!)));
    const accepted = await service.api.anonymous.post('/api/admin/auth/invitations/accept', {
      token,
      password: PASSWORD,
    });
    expect(accepted.status).toBe(200);
    expect((await login(email, PASSWORD)).status).toBe(200);
    expect((await run('invite', email, 'finance')).code).toBe(1);
    expect(await run('invite', 'nobody', 'finance')).toEqual(refused('nobody is no e-mail address.'));
  });

  test('an impossible or unknown action prints an error and exits with code 1', async () => {
    const unknown = refused('The record could not be found.');
    const actions = ['reset', 'promote', 'demote', 'totp-off'];
    const answers = await Promise.all([
      ...actions.map((action) => run(action, 'nobody@example.com')),
      run('create', 'nobody'),
      run(),
      run('create'),
      run('toString', 'x@example.com'),
      run('invite', 'x@example.com'),
      run('roles'),
    ]);
    expect(answers.slice(0, 5)).toEqual([...actions.map(() => unknown), refused('nobody is no e-mail address.')]);
    const usage =
      'usage: main.ts admin list | admin create|reset|promote|demote|totp-off <email> | admin roles|invite <email> <role>...';
    for (const answer of answers.slice(5)) expect(answer).toEqual(refused(`There is no such command.\n${usage}`));
  });
});

test('an unknown command prints an error and the usage; a resync prints its result', async () => {
  const usage = 'usage: main.ts [check | migrate | events resync <event> --consumer <service> | events retry [event]]';
  const answers = await Promise.all([
    main('nonsense'),
    main('events'),
    main('events', 'resync', 'user.changed'),
    main('events', 'resync', 'user.changed', '--consumer', 'nobody'),
  ]);
  for (const answer of answers) expect(answer).toEqual(refused(`There is no such command.\n${usage}`));
  const foreign = await main('events', 'resync', 'nonsense', '--consumer', 'wallet');
  expect(foreign.problem).toMatch(/^There is nothing to resync named nonsense. This service owns user.changed, /);
  expect(await main('events', 'resync', 'plan.changed', '--consumer', 'calls')).toEqual(
    done(/plan\.changed: \d+ published again to calls/),
  );
});

test('commands at the root of the repository find the running stack of DATA_DIR', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'operator-'));
  const operator = (...args: string[]) => execute(OPERATOR, args, { DATA_DIR: folder });
  expect(await operator('audit')).toEqual(
    refused(`No stack runs on ${folder}: start it with npm start, or name its folder with DATA_DIR.`),
  );
  const wallet = await cloneDatabase('wallet');
  const stack = { identity: service.environment, wallet: { DATABASE_URL: wallet.url } };
  await writeFile(join(folder, 'operator.json'), JSON.stringify(stack));
  expect((await operator('admin', 'list')).out).toContain(SUPER.email);
  expect(await operator('events', 'identity', 'resync', 'plan.changed', '--consumer', 'calls')).toEqual(
    done(/plan\.changed: \d+ published again to calls/),
  );
  expect((await operator('audit')).out).toMatch(/^The ledger of .* adds up\.\n$/);
  for (const args of [['nonsense'], ['events', 'resync', 'plan.changed'], ['events'], ['audit', 'all']]) {
    const { code, out, problem } = await operator(...args);
    expect({ code, out, problem }).toEqual(
      refused(expect.stringMatching(/^There is no such command\.\nusage: npm run admin -- list/)),
    );
  }
  await wallet.drop();
  await rm(folder, { recursive: true });
});
