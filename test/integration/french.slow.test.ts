import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { IDENTITY_HEADER, type Caller } from '@tutoring/shared/kit/identity/auth';
import { isPublic, type Route } from '@tutoring/shared/kit/http/declare/route';
import { send } from '@tutoring/shared/testing/client';
import { newPrefix, startTestService, type TestService } from '@tutoring/shared/testing/service';
import { FIELDS } from '@tutoring/shared/kit/language/texts';
import { calls } from '../../services/calls/src/app.ts';
import { CALLS_ENV } from '../../services/calls/test/scene.ts';
import { startIdentity, type TestIdentity } from '../../services/identity/test/identity.ts';
import { messaging } from '../../services/messaging/src/app.ts';
import { wallet } from '../../services/wallet/src/app.ts';

const NAMES = ['identity', 'wallet', 'messaging', 'calls'];
const services: Record<string, TestService> = {};
let identity: TestIdentity;

beforeAll(async () => {
  const prefix = newPrefix();
  identity = await startIdentity();
  services['identity'] = identity;
  services['wallet'] = await startTestService(wallet, { prefix, env: { SANDBOX_WEBHOOK_SECRET: 's'.repeat(32) } });
  services['messaging'] = await startTestService(messaging, {
    prefix,
    env: { ROOM_NAMESPACE: CALLS_ENV.ROOM_NAMESPACE, MAILBOX_FILE: '/dev/null' },
  });
  services['calls'] = await startTestService(calls, { prefix, env: CALLS_ENV });
});
afterAll(() =>
  Promise.all(Object.values(services).map((service) => (service === identity ? identity.end() : service.stop()))),
);

const publicRoutes = (name: string) => services[name]!.service.parts.routes.filter(isPublic);

const STUDENT: Caller = { kind: 'user', id: 5, platform: 'student', tokenId: 5 };
const TEACHER: Caller = { kind: 'user', id: 6, platform: 'teacher', tokenId: 6 };
const ADMIN: Caller = { kind: 'admin', id: 900, name: 'Ada', level: 'su', tokenId: 900 };
const CALLERS: Caller[] = [{ kind: 'anonymous' }, STUDENT, TEACHER, ADMIN];

const fieldsOf = (spec: Route) => Object.keys({ ...spec.query?.shape, ...spec.body?.shape });
const all = (spec: Route, value: unknown) => Object.fromEntries(fieldsOf(spec).map((name) => [name, value]));

/** Bodies that most routes refuse. */
const bodies = (spec: Route): (string | undefined)[] =>
  spec.method === 'get'
    ? [undefined]
    : [
        '{',
        '[]',
        ...[{}, all(spec, 'x'), all(spec, -1), all(spec, []), all(spec, 'x'.repeat(20_000))].map((body) =>
          JSON.stringify(body),
        ),
      ];

const PATH_VALUES = ['7', 'x', '3d0f4f0e-7d62-4a0e-8a9e-0f3b1c2d4e5f'];
const paths = (spec: Route) =>
  (spec.params ? PATH_VALUES : ['']).flatMap((segment) => {
    const path = spec.path.replace(/\{\w+\}/g, segment);
    const query = new URLSearchParams(fieldsOf(spec).map((name) => [name, 'x'])).toString();
    return spec.query && spec.method === 'get' ? [path, `${path}?${query}`] : [path];
  });

const problem = z.object({ message: z.string(), errors: z.record(z.string(), z.array(z.string())).optional() });
/** The sentences of a refusal, by their path in the body. */
function sentencesOf(body: unknown): Map<string, string> {
  const { message, errors = {} } = problem.parse(body);
  return new Map([
    ['message', message],
    ...Object.entries(errors).flatMap(([field, texts]) =>
      texts.map((text, index) => [`${field} ${index}`, text] as const),
    ),
  ]);
}

describe.each(NAMES)('%s', (name) => {
  test('has a French sentence for every refusal', async () => {
    const { url, signer } = services[name]!;
    const left: [route: string, sentence: string][] = [];
    let refused = 0;
    for (const spec of publicRoutes(name))
      for (const caller of CALLERS)
        for (const path of paths(spec))
          for (const body of bodies(spec)) {
            const ask = (language: string) =>
              send(spec.method.toUpperCase(), url + path, {
                body,
                headers: {
                  'accept-language': language,
                  ...(caller.kind !== 'anonymous' && { [IDENTITY_HEADER]: signer.sign(caller) }),
                },
              });
            const french = await ask('fr');
            if (french.status < 400 || !french.headers.get('content-type')?.startsWith('application/json')) continue;
            const english = await ask('en');
            refused += 1;
            const englishSentences = sentencesOf(english.body);
            for (const [key, sentence] of sentencesOf(french.body))
              if (englishSentences.get(key) === sentence) left.push([`${spec.method} ${path}`, sentence]);
          }
    expect([...new Map(left)]).toEqual([]);
    expect(refused).toBeGreaterThan(publicRoutes(name).length);
  });

  test('every field has a French name', () => {
    const words = (field: string) =>
      field
        .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
        .replaceAll('_', ' ')
        .toLowerCase();
    const fields = new Set(publicRoutes(name).flatMap(fieldsOf).map(words));
    expect([...fields].filter((field) => !(field in FIELDS.fr))).toEqual([]);
  });
});
