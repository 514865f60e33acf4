import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { mount } from '../src/http/mount.ts';
import { route } from '../src/http/route.ts';
import { signerOf } from '../src/testing/keys.ts';

const mounted = (name: string, method: 'get' | 'post', path: string) => {
  const spec = route({ method, path, summary: 'x', auth: 'service', response: z.object({}), handle: () => ({}) });
  return () => mount([spec], { name, signer: signerOf('wallet'), checkResponses: true });
};

test('a command that is not in the list cannot be mounted: not there, of another service, by another method', () => {
  expect(mounted('wallet', 'post', '/internal/holds')).not.toThrow();
  expect(mounted('wallet', 'post', '/internal/mint')).toThrow(
    'wallet: post /internal/mint is not in shared/src/internal/catalogue.ts',
  );
  expect(mounted('calls', 'post', '/internal/holds')).toThrow('is not in');
  expect(mounted('wallet', 'get', '/internal/holds')).toThrow('is not in');
});
