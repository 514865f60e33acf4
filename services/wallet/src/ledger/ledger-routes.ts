import { pipeline, type Readable } from 'node:stream';
import { z } from 'zod';
import { pathId } from '@tutoring/shared/kit/http/declare/fields';
import { dayFields } from '@tutoring/shared/kit/http/declare/page';
import { Reply, route } from '@tutoring/shared/kit/http/declare/route';
import { sentences } from '@tutoring/shared/kit/http/read/validation';
import { command } from '@tutoring/shared/contract/command';
import { exportHandler } from '@tutoring/shared/kit/commands/export-page';
import { userNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { cursor } from '../records/record.ts';
import { receiptOf, transactionSchema, walletSchema, type Transaction } from './account.ts';
import { findBalance, findBalances, findPostingsOf, listTransactions, statement } from './statement-store.ts';

/** Field separators of the CSV download, by the value of the query parameter. */
const SEPARATORS = { ',': ',', ';': ';', tab: '\t' };
const separator = z.enum([',', ';', 'tab']).default(',').meta({ example: ';' });

const CSV_SAMPLE =
  'id,type,direction,amount,ref,created_at\r\n12,deposit,in,5000,deposit:3:1,2026-11-20T21:04:06.593904Z\r\n';

/**
 * A statement as CSV (RFC 4180) with a byte order mark. Prefixes text that a spreadsheet would run as a formula with
 * `'`. Loads the library at the first use.
 */
async function csvOf(transactions: AsyncIterable<Transaction>, delimiter: string): Promise<Readable> {
  const { stringify } = await import('csv-stringify');
  const csv = stringify({
    columns: Object.keys(transactionSchema.shape),
    delimiter,
    // The library would quote only fields that contain CRLF; a single CR or LF needs quotes, too.
    quoted_match: /[\r\n]/,
    header: true,
    bom: true,
    record_delimiter: 'windows',
    escape_formulas: true,
  });
  // An error or early end of either stream ends the other.
  pipeline(transactions, csv, () => undefined);
  return csv;
}

export function ledgerRoutes({ database, currency, people }: Parts) {
  async function walletOf(userId: number) {
    const { balance, available, held } = await findBalance(database.manager, userId);
    return { balance, available, held, currency };
  }
  return [
    route('get /api/wallet', {
      summary: 'Own balance',
      description:
        'For students and teachers. `balance` is everything, `held` is reserved for a call or a withdrawal, ' +
        '`available` is the difference. The live event `wallet.balance` announces every change.',
      auth: 'user',
      response: walletSchema,
      handle: ({ caller }) => walletOf(caller.id),
    }),
    route('get /api/admin/users/{id}/wallet', {
      summary: "A student's or teacher's balance",
      description: 'For administrators. The same as the owner sees: `held` is reserved for a call or a withdrawal.',
      auth: 'admin',
      params: z.object({ id: pathId() }),
      response: walletSchema,
      notFound: userNotFound,
      handle: async ({ params: { id } }) => ((await people.find([id])).has(id) ? walletOf(id) : undefined),
    }),
    route('get /api/wallet/transactions', {
      summary: 'Own statement, newest first',
      description:
        'For students and teachers. Every movement of the own money. For older ones send the last id as `before`. ' +
        '`limit` is 50 by default and 100 at most.',
      auth: 'user',
      query: cursor,
      response: z.array(transactionSchema),
      handle: ({ caller, query }) => listTransactions(database.manager, caller.id, query),
    }),
    route('get /api/wallet/transactions.csv', {
      summary: 'Own statement as a CSV download, newest first',
      description:
        'For students and teachers. Every movement of the own money, or those of the UTC days `from` to `to`: RFC ' +
        '4180, UTF-8 with a byte order mark, of any length. `separator` is `,` by default; spreadsheets in ' +
        'some languages need `;` or `tab`. Errors have their real HTTP status.',
      auth: 'user',
      query: z.object({ ...dayFields, separator }),
      rules: async ({ fields: { from, to } }) =>
        from !== undefined && to !== undefined && to < from ? [[['to'], sentences.notBefore('from')]] : [],
      response: z.string().meta({ example: CSV_SAMPLE }),
      produces: 'text/csv',
      handle: async ({ caller, query }) =>
        new Reply(await csvOf(statement(database.manager, caller.id, query), SEPARATORS[query.separator]), {
          headers: { 'content-disposition': 'attachment; filename="transactions.csv"' },
        }),
    }),
    command('statement.export', exportHandler(database.standby.manager, listTransactions)),
    command('call-ledger.read', async ({ params }) => ({
      currency,
      ...receiptOf(await findPostingsOf(database.manager, params.identifier)),
    })),
    command('balance.read-batch', async ({ body }) =>
      (await findBalances(database.manager, body.user_ids)).map((balance) => ({ ...balance, currency })),
    ),
    command('balance.read', async ({ params }) => ({
      ...(await findBalance(database.manager, params.user_id)),
      currency,
    })),
  ];
}
