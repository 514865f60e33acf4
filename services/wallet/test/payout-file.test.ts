import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { validateXML } from 'xmllint-wasm';
import { writeFile, type WrittenBatch } from '../src/batches/payout-file.ts';
import { readReport } from '../src/results/report.ts';
import { iban } from './payouts.ts';

const SCHEMA = await readFile(new URL('pain.001.001.09.xsd', import.meta.url), 'utf8');
const DEBTOR = { name: 'Ateliers & Cours <SA>', iban: iban(1), bic: 'ECOCSNDA' };

const batchOf = (currency: string, names: string[], note: string | null = null): WrittenBatch => ({
  ...{ id: 12, currency, note, at: '2026-11-28T19:04:06.593904Z' },
  items: names.map((holder_name, index) => ({
    ...{ reference: `W${index + 1}-12`, amount: 5_000 + index, method: 'bank', account: iban(index), holder_name },
  })),
});

const pain = async (batch: WrittenBatch) => String((await writeFile('pain.001', batch, DEBTOR)).bytes);
const problemsOf = async (xml: string) => {
  const { valid, errors } = await validateXML({
    xml: [{ fileName: 'payout.xml', contents: xml }],
    schema: [{ fileName: 'pain.001.001.09.xsd', contents: SCHEMA }],
  });
  return valid ? [] : errors.map(({ message }) => message);
};

test('a bank file is valid by the schema of ISO 20022', async () => {
  const names = ['Kossi Mensah', 'Éloïse & "Fils" <x>', "O'Brien", 'Аня 李', 'a'.repeat(140)];
  const xml = await pain(batchOf('XOF', names, `Week 48 & ${'x'.repeat(200)}`));
  expect(await problemsOf(xml)).toEqual([]);
  expect(xml).toContain('<InstdAmt Ccy="XOF">5000</InstdAmt>');
  expect(xml).toContain('<CtrlSum>25010</CtrlSum>');
  expect(xml).toContain('<Nm>Éloïse &amp; &quot;Fils&quot; &lt;x&gt;</Nm>');
  const euros = await pain(batchOf('EUR', names));
  expect(await problemsOf(euros)).toEqual([]);
  expect(euros).toContain('<InstdAmt Ccy="EUR">50.00</InstdAmt>');
});

test('a bank file stays valid with names and notes that XML cannot hold', async () => {
  const note = `${'x'.repeat(139)}😀`;
  const xml = await pain(batchOf('XOF', ['Kossi\ufffe', 'A\uffff\u0001'], note));
  expect(await problemsOf(xml)).toEqual([]);
  expect(xml).toContain('<Nm>Kossi\ufffd</Nm>');
  expect(xml).toContain(`<Ustrd>${'x'.repeat(139)}\ufffd</Ustrd>`);
  expect(Buffer.from(xml).toString()).toBe(xml);
});

test('the schema refuses what is not valid', async () => {
  const xml = await pain(batchOf('XOF', ['Kossi']));
  for (const [from, to] of [
    ['<PmtMtd>TRF</PmtMtd>', '<PmtMtd>CASH</PmtMtd>'],
    [DEBTOR.bic, 'eco'],
    ['<EndToEndId>W1-12</EndToEndId>', ''],
    ['Ccy="XOF"', ''],
  ] as const)
    expect(await problemsOf(xml.replace(from, to))).not.toEqual([]);
});

test('a CSV file holds exactly what it was made of, and its references come back in results', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 }).map((any) => any.replaceAll(/\p{C}/gu, '').trim());
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 10 }), fc.option(text), async (names, note) => {
      const batch = batchOf('XOF', names, note);
      const { bytes } = await writeFile('csv', batch, undefined);
      const [head, ...rows] = parse(bytes, { record_delimiter: '\r\n' });
      expect(head).toEqual(['reference', 'amount', 'currency', 'method', 'account', 'holder_name', 'note']);
      expect(rows).toEqual(
        batch.items.map(({ reference, amount, method, account, holder_name }) => [
          ...[reference, String(amount), 'XOF', method, account, holder_name, note ?? ''],
        ]),
      );
      const answered = String(bytes).replace('reference,amount,', 'reference,status,');
      expect((await readReport(Buffer.from(answered), 0)).map(({ reference }) => reference)).toEqual(
        batch.items.map(({ reference }) => reference),
      );
    }),
    { numRuns: 50 },
  );
});
