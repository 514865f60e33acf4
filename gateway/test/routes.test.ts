import { expect, test } from '@jest/globals';
import { routeOf } from '../src/exchange/routes.ts';

test.each([
  ['/api/admin/callsall', 'calls', false],
  ['/api/admin/calls/x', 'calls', false],
  ['/api/admin/calls/x/refund', 'wallet', false],
  ['/api/admin/calls/refund', 'calls', false],
  ['/api/admin/calls/{identifier}/refund', 'wallet', false],
  ['/api/admin/users/12/wallet', 'wallet', false],
  ['/api/admin/users/12', 'identity', false],
  ['/api/calls/x/receipt', 'calls', false],
  ['/api/calls/x/refund', 'calls', false],
  ['/api/wallet', 'wallet', false],
  ['/api/wallet/transactions', 'wallet', false],
  ['/api/wallet/transactions.csv', 'wallet', true],
  ['/api/admin/payout-batches/12/file', 'wallet', true],
  ['/api/admin/payout-batches/12/items/3', 'wallet', false],
  ['/api/wallet/transactions.csv/x', 'wallet', true],
  ['/api/wallet/x/transactions.csv', 'wallet', false],
])('%s belongs to %s, raw: %s', (path, owner, raw) => {
  expect(routeOf(path)).toMatchObject({ owner, raw });
});

test.each(['/api/calls/{}/refund/..', '/api/{}', '/api/wallet%2Ftransactions.csv', '/api/admin/{}/x/refund'])(
  '%s has no route',
  (path) => {
    expect(routeOf(path)).toBeUndefined();
  },
);
