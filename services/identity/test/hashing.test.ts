import { expect, test } from '@jest/globals';
import { holdHashing } from './hold-hashing.ts';
import { PASSWORD, startIdentity } from './identity.ts';

const from = (address: string) => ({ 'x-client-address': address });

test('fifty concurrent wrong passwords on one account lock nobody else out', async () => {
  const service = await startIdentity();
  try {
    const [flooder, ...others] = await Promise.all(Array.from({ length: 9 }, () => service.user()));
    const wrong = { password: 'another password', current_password: 'wrong password' };
    const release = await holdHashing();
    const flood = Array.from({ length: 60 }, () => flooder!.api.put('/api/me', wrong, from('203.0.113.7')));
    const logins = others.flatMap(({ email }) =>
      ['203.0.113.7', '198.51.100.7'].map((address) =>
        service.api.anonymous.post('/api/auth/login', { email, password: PASSWORD }, from(address)),
      ),
    );
    const refused = await Promise.any(flood).finally(release);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    expect((await Promise.all(logins)).map(({ status }) => status)).toEqual(logins.map(() => 200));
    const answers = await Promise.all(flood);
    for (const { status } of answers) expect([422, 503]).toContain(status);
  } finally {
    await service.end();
  }
});
