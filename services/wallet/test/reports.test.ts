import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { REPORTS } from '../src/batches/batch-move.ts';
import { amountOf } from '../src/results/report-amount.ts';
import { MAX_LINES, readReport, recordsOf, repeatedLines } from '../src/results/report.ts';
import { reportOf } from '../src/results/report-word.ts';
import { verdictOn } from '../src/results/verdict.ts';

const read = (text: string, digits = 0) => readReport(Buffer.from(text), digits);

test.each([
  ['paid', 'paid'],
  ['Payé', 'paid'],
  ['EFFECTUÉE', 'paid'],
  ['Réussi', 'paid'],
  ['ACSC', 'paid'],
  ['rejected', 'failed'],
  ['Échoué', 'failed'],
  ['annulé', 'failed'],
  ['en_cours', 'uncertain'],
  ['En attente', 'uncertain'],
  ['unpaid', 'uncertain'],
  ['not paid', 'uncertain'],
  ['retourné', 'uncertain'],
  ['', 'uncertain'],
] as const)('the status %s means %s', (word, report) => {
  expect(reportOf(word)).toBe(report);
});

test.each([
  ['5000', 0, 5000],
  ['5 000', 0, 5000],
  ['5\u202f000,00', 0, 5000],
  ['5.000,00', 0, 5000],
  ['5,000.00', 0, 5000],
  ['5.000', 0, 5000],
  ['5,000,000', 0, 5_000_000],
  ['5000.00 XOF', 0, 5000],
  ['F CFA 5 000', 0, 5000],
  ['50,00', 2, 5000],
  ['50.5', 2, 5050],
  ['50', 2, 5000],
  ["1'000.00", 2, 100_000],
  ['5.000', 3, 5000],
  ['5,250', 3, 5250],
  ['1,005.000', 3, 1_005_000],
  ['5000.000', 0, 5000],
  ['12345,678', 0, undefined],
  ['12345,678,000', 0, undefined],
  ['0.500', 0, undefined],
  ['€ 50,00', 2, 5000],
  ['50.00 $', 2, 5000],
  ['5000,50', 0, undefined],
  ['-5000', 0, undefined],
  ['5.00.0', 0, undefined],
  ['abc', 0, undefined],
  ['1e3', 0, undefined],
  ['99999999999999999999', 0, undefined],
  [`5000${' '.repeat(61)}`, 0, undefined],
])('the amount %s with %i digits is %s', (text, digits, amount) => {
  expect(amountOf(text, digits)).toBe(amount);
});

const ACCENTED = /[^\u0000-\u007f]/;
const safe = fc.stringMatching(/^[A-Za-z0-9éèàçÉ_. -]{0,12}$/).map((text) => text.trim());
const line = fc.record({
  reference: fc.nat(99_999).map((number) => `W${number}-12`),
  report: fc.constantFrom(...REPORTS),
  provider_ref: safe,
  message: fc.oneof(safe, fc.constantFrom('a "quoted" word', 'one, two; three', 'tab\there')),
  amount: fc.option(fc.integer({ min: 1, max: 999_999_999 })),
});

const grouped = (amount: number, separator: string) => String(amount).replaceAll(/\B(?=(\d{3})+$)/g, separator);
const AMOUNTS = [
  String,
  (amount: number) => `${grouped(amount, ' ')},00`,
  (amount: number) => `${grouped(amount, '\u00a0')} XOF`,
  (amount: number) => `${grouped(amount, ',')}.00`,
  (amount: number) => `${grouped(amount, '.')},00`,
];
const WORDS = {
  paid: ['paid', 'PAID', 'Payé', 'Success'],
  failed: ['failed', 'Rejeté', 'REJECTED'],
  uncertain: ['uncertain', 'en cours', 'who knows'],
};

/** The bytes of Windows-1252 for the signs of these tests, which Latin-1 has too. */
const windows1252 = (text: string) => Buffer.from(text, 'latin1');

const dialect = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t'),
  newline: fc.constantFrom('\n', '\r\n', '\r'),
  encoding: fc.constantFrom('utf-8', 'utf-8 with mark', 'utf-16le', 'windows-1252'),
  columns: fc.shuffledSubarray(['reference', 'status', 'provider_ref', 'message', 'amount', 'other'], {
    minLength: 6,
    maxLength: 6,
  }),
  upper: fc.boolean(),
  quoteAll: fc.boolean(),
  lastNewline: fc.boolean(),
  writeAmount: fc.constantFrom(...AMOUNTS),
  word: fc.nat(3),
});

test('one table in the dialects of banks and operators is read as the same table', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 20 }), dialect, async (table, as) => {
      const { delimiter, newline, columns, quoteAll, writeAmount, word } = as;
      const quote = (cell: string) =>
        quoteAll || /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
      const written = table.map((row): Record<string, string> => ({
        ...row,
        status: WORDS[row.report][word % WORDS[row.report].length]!,
        amount: row.amount === null ? '' : writeAmount(row.amount),
        other: 'ignored',
      }));
      const head = columns.map((name) => (as.upper ? name.toUpperCase() : name));
      const body = written.map((row) => columns.map((name) => quote(row[name]!)).join(delimiter));
      const text = [head.join(delimiter), ...body].join(newline) + (as.lastNewline ? newline : '');
      const bytes = {
        'utf-8': () => Buffer.from(text),
        'utf-8 with mark': () => Buffer.from(`\ufeff${text}`),
        'utf-16le': () => Buffer.from(`\ufeff${text}`, 'utf16le'),
        'windows-1252': () => (ACCENTED.test(text) ? windows1252(text) : Buffer.from(text)),
      }[as.encoding]();
      const found = await readReport(bytes, 0);
      const plain = (cell: string) => cell.replaceAll('\t', ' ') || null;
      expect(found).toEqual(
        table.map(({ reference, report, provider_ref, message, amount }, index) => ({
          ...{ line: index + 2, reference, report, amount, isUnreadable: false },
          ...{ provider_ref: plain(provider_ref), message: plain(message) },
        })),
      );
    }),
    { numRuns: 200 },
  );
});

describe('a report', () => {
  test('without the columns reference and status is refused', async () => {
    for (const text of ['', 'a,b\n1,2\n', 'reference\nW1-1\n', '\n\n', 'reference status\nW1-1 paid'])
      await expect(read(text)).rejects.toMatchObject({ code: 'invalid' });
  });

  test('has at most 5,000 lines without its head', async () => {
    const lines = (count: number) => `reference,status\n${'W1-1,paid\n'.repeat(count)}`;
    expect(await read(lines(MAX_LINES))).toHaveLength(MAX_LINES);
    await expect(read(lines(MAX_LINES + 1))).rejects.toMatchObject({ code: 'invalid' });
  });

  test('of equal lines the first counts; contradicting ones count all as repeated', async () => {
    const lines = await read(
      'reference,status,amount\nW1-1,paid,5\nW1-1,Payé,5\nW2-1,paid,\nW2-1,failed,\nW3-1,paid,5\nW3-1,paid,6\nW4-1,paid,\n',
    );
    const repeated = repeatedLines(lines);
    expect(lines.filter((one) => repeated.has(one)).map((one) => one.line)).toEqual([3, 4, 5, 6, 7]);
  });

  test('an unreadable line contradicts a readable one about the same payout', async () => {
    const lines = await read(
      'reference,status,amount\nW1-1,paid,5\nW1-1,paid,x\nW2-1,,\nW2-1,paid,\nW3-1,,\nW3-1,,\nW4-1,paid,\n',
    );
    const repeated = repeatedLines(lines);
    const verdicts = lines.map((one) => verdictOn(one, { status: 'sent', amount: 5 }, repeated.has(one)).verdict);
    expect(verdicts).toEqual([
      ...['repeated', 'unreadable', 'unreadable', 'repeated', 'unreadable', 'unreadable', 'paid'],
    ]);
  });

  test('a quote that nobody closed does not make one readable line of many', async () => {
    const lines = await read(
      'reference,status,message\nW1-1,paid,"x\nW2-1,failed,y\nW3-1,failed,"z"\nW4-1,paid,"a\nb"\n',
    );
    expect(lines.map(({ line, reference, isUnreadable }) => [line, reference, isUnreadable])).toEqual([
      [2, 'W1-1', true],
      [5, 'W4-1', false],
    ]);
    await expect(read('reference,status,"message\nW1-1,paid,"x"\nW2-1,paid,y\n')).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  test('numbers its lines as an editor does, also after a cell with line breaks', async () => {
    for (const newline of ['\n', '\r\n', '\r']) {
      const text = ['reference,status,message', 'W1-1,paid,"a', 'b', 'c"', '', 'W2-1,paid,x', 'W3-1,paid,"q', 'z"'];
      const lines = await read([...text, 'W4-1,paid,'].join(newline));
      expect([newline, lines.map(({ line }) => line)]).toEqual([newline, [2, 6, 7, 9]]);
    }
  });

  test('with a line of more than 65,536 characters is refused, and columns beyond 200 are not looked at', async () => {
    const wide = (cells: number) => `reference,status${',x'.repeat(cells)}\nW1-1,paid\n`;
    expect(await read(wide(32_760))).toHaveLength(1);
    await expect(read(wide(32_761))).rejects.toMatchObject({ code: 'invalid' });
    await expect(read(`${'x,'.repeat(199)}reference,status\n${',paid'.repeat(201)}\n`)).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  test('of a wide line only the first 200 cells are kept, and only the head is read where it decides', async () => {
    const records = await recordsOf(`a,b\n${',x'.repeat(30_000)}\n"c`, ',', 2);
    expect(records?.map(({ line, cells }) => [line, cells.length])).toEqual([
      [1, 2],
      [2, 200],
    ]);
    expect(await recordsOf('a,b\n"c', ',', 2)).toBeUndefined();
    await expect(read(`reference,status\n${`${','.repeat(65_000)}\n`.repeat(16)}`)).rejects.toMatchObject({
      code: 'invalid',
    });
    await expect(read('reference,status\nW1-1,paid\n"c')).rejects.toMatchObject({ code: 'invalid' });
  });

  test('each line gets one verdict', async () => {
    const lines = await read(
      'reference,status,amount\nW1-1,paid,5000\nW1-1,paid,5001\n,paid,\nW9-1,,\nW9-1,paid,x\nW9-1,paid,\n',
    );
    const on = (index: number, item?: { status: 'sent' | 'paid'; amount: number }, isRepeated = false) =>
      verdictOn(lines[index]!, item, isRepeated);
    const sent = { status: 'sent' as const, amount: 5_000 };
    expect(on(0, sent)).toEqual({ verdict: 'paid', break_kind: null });
    expect(on(1, sent)).toEqual({ verdict: 'amount_differs', break_kind: 'amount' });
    expect(on(0, { status: 'paid', amount: 5_000 })).toEqual({ verdict: 'already', break_kind: null });
    expect(on(0, sent, true).verdict).toBe('repeated');
    for (const index of [2, 3, 4]) expect(on(index, sent).verdict).toBe('unreadable');
    expect(on(5).verdict).toBe('unknown_reference');
  });
});
