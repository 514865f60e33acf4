import { createHash } from 'node:crypto';
import { currencyDigits } from '@tutoring/shared/kit/language/money';
import { xmlText } from '../payout-methods/account-number.ts';
import type { Debtor } from '../payout-methods/debtor.ts';
import type { FileFormat } from './batch.ts';
import type { ItemRow } from './item.ts';

/** A batch as it is written for a bank or an operator. */
export interface WrittenBatch {
  id: number;
  currency: string;
  note: string | null;
  items: Pick<ItemRow, 'reference' | 'amount' | 'method' | 'account' | 'holder_name'>[];
  /** When it is written: `2026-11-20T21:04:06.593904Z`. */
  at: string;
}

/** An amount in the smallest unit as a decimal number: `5000` XOF, `50.00` EUR. */
export function decimalAmount(amount: number, currency: string): string {
  const digits = currencyDigits(currency);
  if (digits === 0) return String(amount);
  const text = String(amount).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** CSV by RFC 4180. No cell holds a formula: that is refused when a text is stored or a batch made. */
async function csvOf({ currency, note, items }: WrittenBatch): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  const columns = ['reference', 'amount', 'currency', 'method', 'account', 'holder_name', 'note'];
  const table = items.map((item) => ({ ...item, amount: decimalAmount(item.amount, currency), currency, note }));
  // The library would quote only fields that contain CRLF; a single CR or LF needs quotes, too.
  return stringify(table, { columns, header: true, record_delimiter: 'windows', quoted_match: /[\r\n]/ });
}

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';

/** A customer credit transfer of ISO 20022. */
async function painOf({ id, currency, note, items, at }: WrittenBatch, debtor: Debtor): Promise<string> {
  const { default: Builder } = await import('fast-xml-builder');
  const total = items.reduce((sum, { amount }) => sum + amount, 0);
  const message = `PAYOUT-${id}`;
  const payer = xmlText(debtor.name);
  const sums = { NbOfTxs: items.length, CtrlSum: decimalAmount(total, currency) };
  const document = {
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    Document: {
      '@_xmlns': NAMESPACE,
      CstmrCdtTrfInitn: {
        GrpHdr: { MsgId: message, CreDtTm: at, ...sums, InitgPty: { Nm: payer } },
        PmtInf: {
          PmtInfId: message,
          PmtMtd: 'TRF',
          ...sums,
          ReqdExctnDt: { Dt: at.slice(0, 10) },
          Dbtr: { Nm: payer },
          DbtrAcct: { Id: { IBAN: debtor.iban } },
          DbtrAgt: { FinInstnId: { BICFI: debtor.bic } },
          CdtTrfTxInf: items.map(({ reference, amount, account, holder_name }) => ({
            PmtId: { EndToEndId: reference },
            Amt: { InstdAmt: { '#text': decimalAmount(amount, currency), '@_Ccy': currency } },
            Cdtr: { Nm: holder_name && xmlText(holder_name) },
            CdtrAcct: { Id: { IBAN: account } },
            ...(note !== null && { RmtInf: { Ustrd: xmlText(note.slice(0, 140)) } }),
          })),
        },
      },
    },
  };
  return `${String(new Builder({ ignoreAttributes: false, format: true }).build(document)).trimEnd()}\n`;
}

const EXTENSIONS: Record<FileFormat, string> = { csv: 'csv', 'pain.001': 'xml' };

/** The file of a batch. */
export async function writeFile(format: FileFormat, batch: WrittenBatch, debtor: Debtor | undefined) {
  if (format === 'pain.001' && !debtor) throw new Error('the account from which the bank pays is not configured');
  const text = format === 'csv' ? await csvOf(batch) : await painOf(batch, debtor!);
  const bytes = Buffer.from(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name: `payout-${batch.id}.${EXTENSIONS[format]}`, bytes, sha256 };
}
