import { describe, expect, test } from '@jest/globals';
import { createDrafts } from '../src/support/drafts.ts';
import { createSession } from '../src/server/session.ts';

/** A browser's storage that holds so many characters. */
function storageOf(most = Infinity) {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    removeItem: (key: string) => void kept.delete(key),
    setItem: (key: string, value: string) => {
      if (value.length > most) throw new DOMException('full', 'QuotaExceededError');
      kept.set(key, value);
    },
  };
}

describe('a reply that has been begun', () => {
  const intention = { key: 'k', content: '{}', also: undefined };

  test('is kept for its administrator and room, with the key under which it was sent', () => {
    const storage = storageOf();
    createDrafts(storage).keep('1', 'room', { text: 'Hello', intention });
    const again = createDrafts(storage);
    expect(again.of('1', 'room')).toEqual({ text: 'Hello', intention: { key: 'k', content: '{}' } });
    expect(again.of('2', 'room')).toEqual({ text: '' });
    expect(again.of('1', 'other')).toEqual({ text: '' });
    expect([again.isAny('1'), again.isAny('2')]).toEqual([true, false]);
  });

  test('is gone once it is empty', () => {
    const storage = storageOf();
    const drafts = createDrafts(storage);
    drafts.keep('1', 'room', { text: 'Hello' });
    drafts.keep('1', 'room', { text: '' });
    expect(createDrafts(storage).of('1', 'room')).toEqual({ text: '' });
    expect([...storage.kept.values()].join('')).not.toContain('room');
  });

  test('of an administrator’s many are the newest twenty kept', () => {
    const storage = storageOf();
    const drafts = createDrafts(storage);
    for (let room = 1; room <= 30; room += 1) drafts.keep('1', `room ${room}`, { text: 'x' });
    const again = createDrafts(storage);
    expect([again.of('1', 'room 10').text, again.of('1', 'room 11').text]).toEqual(['', 'x']);
  });

  test('makes room for itself where the storage is full, and stays while the page does where it is larger', () => {
    const storage = storageOf(3_000);
    const drafts = createDrafts(storage);
    drafts.keep('1', 'old', { text: 'x'.repeat(2_000) });
    drafts.keep('1', 'new', { text: 'y'.repeat(2_000) });
    expect(createDrafts(storage).of('1', 'new').text).toHaveLength(2_000);
    drafts.keep('1', 'huge', { text: 'z'.repeat(9_000) });
    expect(drafts.of('1', 'huge').text).toHaveLength(9_000);
  });

  test.each(['no JSON', '{}', '[1]', '[["1/room"]]', '[["1/room",{"text":1}]]', 'null'])(
    'is not read from what somebody else has put there: %s',
    (text) => {
      const storage = storageOf();
      storage.setItem('tutoring.drafts', text);
      expect(createDrafts(storage).of('1', 'room')).toEqual({ text: '' });
    },
  );
});

describe('the session of a tab', () => {
  test('keeps its own token while another person signs in elsewhere, and says that it is another one’s', () => {
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

  test('follows the same person to a new token', () => {
    const storage = storageOf();
    const first = createSession(storage);
    first.open('1|a', 1);
    createSession(storage).open('3|c', 1);
    expect([first.follow(), first.token()]).toEqual(['same', '3|c']);
  });

  test('that does not know whose it is follows nobody', () => {
    const storage = storageOf();
    storage.setItem('tutoring.admin-token', '1|a');
    const first = createSession(storage);
    createSession(storage).open('2|b', 2);
    expect([first.follow(), first.token()]).toEqual(['other', '1|a']);
  });

  test('follows no token of a release that does not say whose it is', () => {
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

  test('is over where another tab has signed out; a tab without one stays as it is', () => {
    const storage = storageOf();
    const [first, second] = [createSession(storage), createSession(storage)];
    first.open('1|a', 1);
    expect([second.follow(), second.token()]).toEqual(['same', undefined]);
    const third = createSession(storage);
    third.close();
    expect([first.token(), first.follow()]).toEqual([undefined, 'other']);
  });
});
