import { describe, expect, test } from '@jest/globals';
import { dynamic, nameOf, prepare } from '../kit/database/statement.ts';

describe('the name of a prepared statement', () => {
  test.each([
    ['is readable', '\n  update thing\n set n = $1', /^update_thing_set_n_1_[0-9a-f]{16}$/],
    ['fits into 63 bytes', `select ${'é'.repeat(100)}`, /^[\w]{1,63}$/],
  ])('%s', (_what, text, pattern) => {
    expect(nameOf(text)).toMatch(pattern);
  });

  test('differs for texts with the same beginning', () => {
    const long = `select ${'a, '.repeat(50)}`;
    expect(nameOf(`${long} b`)).not.toBe(nameOf(`${long} c`));
  });
});

describe('a statement', () => {
  test('with array parameters hides their length from the planner', () => {
    const { text } = prepare('select * from thing where id = any($1::bigint[]) and n = $2');
    expect(text).toBe('select * from thing where id = any((select $1::bigint[])::bigint[]) and n = $2');
  });

  test.each([
    ['that is dynamic', dynamic('select * from thing where id = any($1::bigint[])')],
    ['with a parameter as limit', 'select * from thing where id = any($1::bigint[]) limit $2'],
  ])('%s is neither changed nor prepared', (_what, sql) => {
    expect(prepare(sql)).toEqual({ text: typeof sql === 'string' ? sql : sql.dynamic });
  });

  test('is prepared only while a process has few, so that texts that vary cannot fill the memory of the server', () => {
    const names = Array.from({ length: 3_000 }, (_none, n) => prepare(`select ${n}`).name);
    expect(names.filter((name) => name !== undefined).length).toBeLessThanOrEqual(1_000);
    expect(prepare('select 1').name).toBe(names[1]);
  });
});
