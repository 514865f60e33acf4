import { describe, expect, test } from '@jest/globals';
import { createDrafts } from '../src/support/drafts.ts';
import { createSession } from '../src/server/session.ts';

/** A browser storage that refuses values of more than `most` characters. */
function storageOf(most = Infinity) {
  const values = new Map<string, string>();
  return {
    kept: values,
    getItem: (key: string) => values.get(key) ?? null,
    removeItem: (key: string) => void values.delete(key),
    setItem: (key: string, value: string) => {
      if (value.length > most) throw new DOMException('full', 'QuotaExceededError');
      values.set(key, value);
    },
  };
}

describe('a draft', () => {
  const intention = { key: 'k', content: '{}', also: undefined };

  test('is stored per administrator and room, with the idempotency key of its last attempt', () => {
    const storage = storageOf();
    createDrafts(storage).keep('1', 'room', { text: 'Hello', intention });
    const again = createDrafts(storage);
    expect(again.of('1', 'room')).toEqual({ text: 'Hello', intention: { key: 'k', content: '{}' } });
    expect(again.of('2', 'room')).toEqual({ text: '' });
    expect(again.of('1', 'other')).toEqual({ text: '' });
    expect([again.isAny('1'), again.isAny('2')]).toEqual([true, false]);
  });

  test('is deleted when its text is empty', () => {
    const storage = storageOf();
    const drafts = createDrafts(storage);
    drafts.keep('1', 'room', { text: 'Hello' });
    drafts.keep('1', 'room', { text: '' });
    expect(createDrafts(storage).of('1', 'room')).toEqual({ text: '' });
    expect([...storage.kept.values()].join('')).not.toContain('room');
  });

  test('is deleted when a hundred newer ones exist', () => {
    const storage = storageOf();
    const drafts = createDrafts(storage);
    for (let room = 1; room <= 110; room += 1) drafts.keep('1', `room ${room}`, { text: 'x' });
    const again = createDrafts(storage);
    expect([again.of('1', 'room 10').text, again.of('1', 'room 11').text]).toEqual(['', 'x']);
  });

  test('displaces older ones when the storage is full, and stays in memory if it is too large', () => {
    const storage = storageOf(3_000);
    const drafts = createDrafts(storage);
    drafts.keep('1', 'old', { text: 'x'.repeat(2_000) });
    drafts.keep('1', 'new', { text: 'y'.repeat(2_000) });
    expect(createDrafts(storage).of('1', 'new').text).toHaveLength(2_000);
    drafts.keep('1', 'huge', { text: 'z'.repeat(9_000) });
    expect(drafts.of('1', 'huge').text).toHaveLength(9_000);
  });

  test.each(['no JSON', '{}', '[1]', '[["1/room"]]', '[["1/room",{"text":1}]]', 'null'])(
    'is not read from invalid stored data: %s',
    (text) => {
      const storage = storageOf();
      storage.setItem('tutoring.drafts', text);
      expect(createDrafts(storage).of('1', 'room')).toEqual({ text: '' });
    },
  );
});

describe('the session of a tab', () => {
  test('keeps its own token when another tab signs in as someone else, and reports that', () => {
    const storage = storageOf();
    const first = createSession(storage);
    first.open('1|a', 1);
    const second = createSession(storage);
    second.open('2|b', 2);
    expect([first.token(), second.token()]).toEqual(['1|a', '2|b']);
    expect([first.follow(), second.follow()]).toEqual(['other', 'same']);
    first.close();
    expect(createSession(storage).token()).toBe('2|b');
    first.end();
    expect(createSession(storage).token()).toBe('2|b');
  });

  test('switches to a new token of the same administrator', () => {
    const storage = storageOf();
    const first = createSession(storage);
    first.open('1|a', 1);
    createSession(storage).open('3|c', 1);
    expect([first.follow(), first.token()]).toEqual(['same', '3|c']);
  });

  test('switches to no other token while its own administrator is unknown', () => {
    const storage = storageOf();
    storage.setItem('tutoring.admin-token', '1|a');
    const first = createSession(storage);
    createSession(storage).open('2|b', 2);
    expect([first.follow(), first.token()]).toEqual(['other', '1|a']);
  });

  test('does not switch to a token without an owner, as older releases store it', () => {
    const storage = storageOf();
    const first = createSession(storage);
    first.open('1|a', 1);
    storage.setItem('tutoring.admin-token', '2|b');
    expect([first.follow(), first.token()]).toEqual(['other', '1|a']);
    const reloaded = createSession(storage);
    reloaded.identify(2);
    createSession(storage).open('4|d', 2);
    expect([reloaded.follow(), reloaded.token()]).toEqual(['same', '4|d']);
  });

  test('ends when another tab signs out, and a tab without a session is not affected', () => {
    const storage = storageOf();
    const [first, second] = [createSession(storage), createSession(storage)];
    first.open('1|a', 1);
    expect([second.follow(), second.token()]).toEqual(['same', undefined]);
    const third = createSession(storage);
    third.close();
    expect([first.token(), first.follow()]).toEqual([undefined, 'other']);
  });
});
