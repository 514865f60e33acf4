import type { createTutoringClient } from '../src/client.ts';

/* Checked only by `npm run types`: what the typed client must accept and what it must refuse. */

export async function inputIsTyped(client: ReturnType<typeof createTutoringClient>) {
  // @ts-expect-error the two fields are missing
  await client.POST('/api/call/init', { body: {} });
  // @ts-expect-error the body is missing
  await client.POST('/api/call/init');
  // @ts-expect-error neither a text nor a link
  await client.POST('/api/support/messages', { body: {} });
  // @ts-expect-error no such type of call
  await client.POST('/api/call/init', { body: { teacher_user_id: 7, call_type: 'letter' } });

  await client.POST('/api/call/init', { body: { teacher_user_id: 7, call_type: 'audio' } });
  await client.POST('/api/support/messages', { body: { message: 'Bonjour' } });
  await client.POST('/api/deposits', {
    body: { amount: 500 },
    params: { header: { 'Idempotency-Key': 'one deposit' } },
  });
  await client.GET('/api/rooms');
}

export async function eventsAndUploadsAreTyped(client: ReturnType<typeof createTutoringClient>, file: Blob) {
  for await (const told of client.events()) {
    if (told.event === 'call.ringing') return told.data.expires_at satisfies string;
    // @ts-expect-error no such event
    if (told.event === 'call.rang') return undefined;
  }
  // @ts-expect-error the room is missing
  await client.upload('/api/rooms/{uuid}/files', file, { name: 'a.png' });
  // @ts-expect-error no file goes there
  await client.upload('/api/deposits', file, { name: 'a.png' });
  // @ts-expect-error the days are missing
  await client.upload('/api/admin/reconciliations', file, { name: 'a.csv', provider: 'bank' });
  const days = { from: '2026-11-01', to: '2026-11-30' };
  await client.upload('/api/admin/reconciliations', file, { name: 'a.csv', provider: 'bank', ...days });
  const photo = await client.upload('/api/me/photo', file, { name: 'me.jpg' });
  return photo.photo satisfies string;
}
