import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { liveEvents } from '@tutoring/shared/contract/live-events';
import { ALL_RIGHTS, type Right } from '@tutoring/shared/contract/rights';
import { isPublic } from '@tutoring/shared/kit/http/declare/route';
import { endpoint, request, startServices, withRights, type Services } from './administrators.ts';

let all: Services;
beforeAll(async () => {
  all = await startServices();
});
afterAll(() => all.stop());

test('every route for administrators has its right', () => {
  const byRight = Map.groupBy(
    all.routes().filter(({ spec }) => spec.auth !== 'su'),
    ({ spec }) => [spec.right, spec.orRight].filter(Boolean).join(' or '),
  );
  const declared = [...byRight].map(([right, of]) => [right, of.map(({ spec }) => endpoint(spec)).toSorted()]);
  expect(Object.fromEntries(declared)).toEqual({
    any: [
      'delete admin/auth/totp',
      'get admin/admins',
      'get admin/admins/{id}',
      'get admin/auth/me',
      'get admin/auth/rights',
      'get admin/auth/totp',
      'get admin/roles',
      'get admin/settings/{id}',
      'post admin/auth/logout',
      'post admin/auth/totp',
      'post admin/settingsall',
      'put admin/auth/me',
      'put admin/auth/totp',
    ],
    people: ['get admin/users/{id}', 'post admin/usersall'],
    standing: ['put admin/users/{id}'],
    trust: [
      'get admin/reports/{id}',
      'post admin/reportsall',
      'post admin/reviewsall',
      'put admin/reports/{id}',
      'put admin/reviews/{id}',
    ],
    desk: [
      'delete admin/desk/notes/{note_id}',
      'delete admin/desk/replies/{id}',
      'get admin/desk/agents',
      'get admin/desk/cases/{id}',
      'get admin/desk/counts',
      'get admin/desk/replies',
      'get admin/desk/replies/{id}',
      'get admin/desk/stats',
      'get admin/rooms',
      'get admin/rooms/{uuid}',
      'post admin/desk/cases',
      'post admin/desk/cases/{id}/notes',
      'post admin/desk/casesall',
      'post admin/desk/replies',
      'post admin/desk/replies/{id}/render',
      'post admin/rooms/{uuid}/files',
      'post admin/rooms/{uuid}/messages',
      'put admin/desk/cases/{id}',
      'put admin/desk/notes/{note_id}',
      'put admin/desk/presence',
      'put admin/desk/replies/{id}',
    ],
    lessons: ['get admin/calls/{identifier}', 'post admin/bookingsall', 'post admin/callsall'],
    money: [
      'get admin/deposits/{id}',
      'get admin/disputes/{id}',
      'get admin/disputes/{id}/evidence',
      'get admin/payout-batches/{id}',
      'get admin/payout-batches/{id}/items',
      'get admin/users/{id}/wallet',
      'get admin/withdrawals/{id}',
      'post admin/breaksall',
      'post admin/deposit-refundsall',
      'post admin/depositsall',
      'post admin/disputesall',
      'post admin/payout-batchesall',
      'post admin/withdrawalsall',
      'post paymentsall',
    ],
    payout: [
      'delete admin/payout-batches/{id}/items/{item_id}',
      'get admin/payout-batches/{id}/file',
      'post admin/payout-batches',
      'post admin/payout-batches/preview',
      'post admin/payout-batches/{id}/cancel',
      'post admin/payout-batches/{id}/export',
      'post admin/payout-batches/{id}/results',
      'post admin/payout-batches/{id}/results/{import_id}/apply',
      'post admin/reconciliations',
    ],
    approve: [
      'post admin/payout-batches/{id}/approve',
      'put admin/breaks/{id}',
      'put admin/deposit-refunds/{id}',
      'put admin/payout-batches/{id}/items/{item_id}',
    ],
    'payout or approve': ['put admin/withdrawals/{id}'],
    figures: ['get admin/stats', 'get admin/stats/daily'],
  });
  const known: (string | undefined)[] = [...ALL_RIGHTS, 'any', undefined];
  expect(all.routes().filter(({ spec }) => !known.includes(spec.right) || !known.includes(spec.orRight))).toEqual([]);
  const everything = Object.values(all.services).flatMap((service) => service.service.parts.routes.filter(isPublic));
  const unchecked = everything.filter(
    ({ path, auth }) => path.startsWith('/api/admin/') && !['admin', 'su'].includes(auth),
  );
  expect(unchecked.map(endpoint).toSorted()).toEqual([
    'post admin/auth/invitations/accept',
    'post admin/auth/login',
    'post admin/auth/reset-password',
    'post admin/auth/reset-password-send-code',
  ]);
});

test('every route for administrators refuses one who lacks only its right, and lets one with only that right pass', async () => {
  for (const { service, spec } of all.routes()) {
    const { right, orRight } = spec;
    const path = spec.path.replaceAll(/\{\w+\}/g, '0');
    const refused = [403, { code: 'forbidden', message: 'Unauthorized access' }];
    const others = ALL_RIGHTS.filter((each) => each !== right && each !== orRight);
    const answer = await request(service, withRights(others), spec, path);
    const isOpen = spec.auth !== 'su' && right === 'any';
    if (!isOpen) expect([endpoint(spec), answer.status, answer.body]).toEqual([endpoint(spec), ...refused]);
    if (spec.auth === 'su') continue;
    for (const one of right === 'any' ? [undefined] : [right, ...(orRight ? [orRight] : [])]) {
      const { status } = await request(service, withRights(one ? [one as Right] : []), spec, path);
      expect([endpoint(spec), status]).not.toEqual([endpoint(spec), 403]);
    }
  }
});

test('live events for administrators have the right of what they are about', () => {
  const withRight = Object.entries(liveEvents).flatMap(([name, { right }]) =>
    right === undefined ? [] : [[name, right]],
  );
  expect(Object.fromEntries(withRight)).toEqual({
    'message.read': 'desk',
    'room.read': 'desk',
    'support.message': 'desk',
    'desk.case': 'desk',
    'desk.presence': 'desk',
    'report.created': 'trust',
    'payout.batch': 'money',
  });
});
