import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import type { LiveEvent } from '@tutoring/client';
import type { ServerProvider } from '../src/data-provider.ts';
import { watchShared } from '../src/live/shared-stream.ts';

type Watch = ServerProvider['watch'];

const event = (id: string): LiveEvent => ({ event: 'resync', id, data: { message: 'Fetch again.' } });

/** The streams that the pages have opened so far. */
const streams: { page: string; from: string | undefined; send: Parameters<Watch>[0]; options: Parameters<Watch>[1] }[] =
  [];
const open: AbortController[] = [];
afterEach(() => {
  for (const page of open.splice(0)) page.abort();
  streams.length = 0;
});

function openPage(page: string, session: string) {
  const received: string[] = [];
  const stop = new AbortController();
  open.push(stop);
  const watch: Watch = (send, options) => {
    streams.push({ page, from: options.lastEventId, send, options });
    return new Promise((resolve) => options.signal?.addEventListener('abort', () => resolve()));
  };
  const done = watchShared(session, watch, ({ id }) => received.push(id), {
    signal: stop.signal,
    onOpen: () => received.push('open'),
    onBreak: () => received.push('broken'),
  }).catch(() => undefined);
  return { received, close: () => stop.abort(), done };
}

test('the pages of one session share one stream, and another page resumes it after the last event', async () => {
  const first = openPage('first', 's1');
  await eventually('the first page opens a stream', () => streams.length === 1);
  const others = ['second', 'third'].map((name) => openPage(name, 's1'));
  streams[0]!.options.onOpen?.();
  streams[0]!.send(event('e1'));
  for (const { received } of [first, ...others])
    await eventually('every page gets the event', () => received.includes('e1'));
  expect(first.received).toEqual(['open', 'e1']);
  // A page that joins later gets the state of the stream, and the other pages do not get it again.
  const late = openPage('late', 's1');
  await eventually('the late page gets the state', () => late.received.includes('open'));
  streams[0]!.options.onBreak?.();
  streams[0]!.options.onOpen?.();
  streams[0]!.send(event('e2'));
  for (const { received } of [...others, late])
    await eventually('every page gets the event', () => received.includes('e2'));
  expect(others.map(({ received }) => received)).toEqual([
    ['open', 'e1', 'broken', 'open', 'e2'],
    ['open', 'e1', 'broken', 'open', 'e2'],
  ]);
  expect(late.received).toEqual(['open', 'broken', 'open', 'e2']);
  expect(streams).toHaveLength(1);

  first.close();
  await first.done;
  await eventually('another page opens the stream', () => streams.length === 2);
  expect(streams[1]).toMatchObject({ page: 'second', from: 'e2' });
  streams[1]!.options.onOpen?.();
  streams[1]!.send(event('e3'));
  for (const { received } of [...others, late])
    await eventually('every page gets the event', () => received.includes('e3'));
  expect(first.received).not.toContain('e3');
});

test('pages of two sessions have separate streams', async () => {
  const [one, other] = [openPage('one', 's2'), openPage('other', 's3')];
  await eventually('both pages open a stream', () => streams.length === 2);
  streams.find(({ page }) => page === 'one')!.send(event('e1'));
  await eventually('the page gets the event', () => one.received.includes('e1'));
  expect(other.received).toEqual([]);
});

test('a page can be closed while it waits for the stream', async () => {
  openPage('first', 's4');
  await eventually('the first page opens a stream', () => streams.length === 1);
  const second = openPage('second', 's4');
  second.close();
  await second.done;
  expect(streams).toHaveLength(1);
});
