/**
 * An invoice for each month: what was charged, by application, SMS type, carrier and price, what was topped up, and the
 * balance before and after. Integers of 1/10,000 PHP of the ledger's own entries, so that lines add up to its sums. The
 * months are Manila's for every reader: an invoice with one number has one content (decision 185).
 */
import { type Invoice, invoiceZone } from '@pahatid/contract';
import { readKeptSince } from '@pahatid/db/queries/kept-since';
import {
  findDays,
  findFirstEntry,
  type InvoiceRow,
  listInvoiceRows,
  listLedgerNames,
  sumLedger,
} from '@pahatid/db/queries/ledger';
import { sumCharges } from '@pahatid/db/queries/ledger-sums';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { chooseCustomer } from './choose-customer.ts';
import { distinct } from './present-ledger.ts';
import { lastDay } from './statement.ts';

const mostMonths = 60;
/** An entry is dated at most an hour before it is made, in a transaction of less than two. */
const settledMs = 3 * 3_600_000;

const dayOf = (at: Date): string => new Intl.DateTimeFormat('en-CA', { timeZone: invoiceZone }).format(at);
const monthOf = (at: Date): string => dayOf(at).slice(0, 7);

const monthBefore = (month: string, back: number): string => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 - back, 1)).toISOString().slice(0, 7);
};

/** Of the month and the last group of the customer's ID: 48 bits, mostly random, as no two customers have in common. */
const numberOf = (month: string, customerId: string): string =>
  `${month.replace('-', '')}-${customerId.slice(-12).toUpperCase()}`;

export function registerInvoices(app: FastifyInstance, deps: ApiDeps): void {
  const isFinal = (month: string): boolean => monthOf(new Date(deps.now().getTime() - settledMs)) > month;

  /** Newest first; without months of which entries were deleted for their age. */
  const listMonths = async (tx: PoolClient, customerId: string): Promise<string[]> => {
    const first = await findFirstEntry(tx, customerId);
    if (first === null) return [];
    const keptSince = await readKeptSince(tx, 'ledger');
    // The last instant of which entries were deleted: its month is not whole.
    const deleted = keptSince > 0 ? monthOf(new Date(keptSince - 1)) : '';
    const [newest, oldest] = [monthOf(deps.now()), monthOf(first)];
    return Array.from({ length: mostMonths }, (_, back) => monthBefore(newest, back)).filter(
      (month) => month >= oldest && month > deleted,
    );
  };

  serve(app, 'GET /billing/invoices', async ({ query, scope, inScope, inDataScope }) => {
    const { customerId } = await inScope((tx) => chooseCustomer(tx, scope, query.customerId));
    return inDataScope(async (tx) => {
      const months = await listMonths(tx, customerId);
      const [newest, oldest] = [months[0], months.at(-1)];
      if (newest === undefined || oldest === undefined) return { items: [] };
      const span = { customerId, ...(await findDays(tx, `${oldest}-01`, lastDay(newest), invoiceZone)) };
      const sums = new Map(months.map((month) => [month, { charged: 0, segments: 0 }]));
      for (const { key, charged, segments } of await sumCharges(tx, span, 'day', invoiceZone)) {
        const sum = sums.get(key?.slice(0, 7) ?? '');
        if (sum === undefined) continue;
        sum.charged += charged;
        sum.segments += segments;
      }
      const items = [...sums].map(([month, sum]) => ({
        ...{ month, number: numberOf(month, customerId), isFinal: isFinal(month) },
        ...sum,
      }));
      return { items };
    });
  });

  serve(app, 'GET /billing/invoice', async ({ query, scope, inScope, inDataScope }) => {
    const { month } = query;
    const { customerId, customerName } = await inScope((tx) => chooseCustomer(tx, scope, query.customerId));
    const { rows, opening } = await inDataScope(async (tx) => {
      if (!(await listMonths(tx, customerId)).includes(month)) throw new ProblemError('NOT_FOUND');
      const span = { customerId, ...(await findDays(tx, `${month}-01`, lastDay(month), invoiceZone)) };
      return { rows: await listInvoiceRows(tx, span), opening: await sumLedger(tx, customerId, span.from) };
    });
    const names = await inScope((tx) =>
      listLedgerNames(tx, { customerId, taskIds: [], appIds: distinct(rows.map(({ appId }) => appId)), userIds: [] }),
    );
    return {
      ...{ month, number: numberOf(month, customerId), isFinal: isFinal(month), customerId, customerName },
      ...{ zone: invoiceZone, from: `${month}-01`, to: lastDay(month) },
      ...sumRows(rows, opening),
      charges: rows
        .filter(({ kind }) => kind === 'charge')
        .map((row) => presentCharge(row, names))
        .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0)),
      entries: rows.flatMap(({ kind, time, note, amount }) =>
        kind === 'charge' || time === null ? [] : [{ time: time.toISOString(), kind, note, amount }],
      ),
    };
  });
}

type Sums = Pick<Invoice, 'opening' | 'closing' | 'charged' | 'segments' | 'toppedUp' | 'adjusted'>;

function sumRows(rows: readonly InvoiceRow[], opening: number): Sums {
  const sumOf = (kind: InvoiceRow['kind'], field: 'amount' | 'segments'): number =>
    rows.reduce((sum, row) => (row.kind === kind ? sum + row[field] : sum), 0);
  const [charges, toppedUp, adjusted] = [
    sumOf('charge', 'amount'),
    sumOf('topUp', 'amount'),
    sumOf('adjustment', 'amount'),
  ];
  return {
    ...{ opening, closing: opening + charges + toppedUp + adjusted, toppedUp, adjusted },
    ...{ charged: charges === 0 ? 0 : -charges, segments: sumOf('charge', 'segments') },
  };
}

/** The rest of the order is that of the rows. */
const nameOf = ({ appName, appId }: Invoice['charges'][number]): string => appName ?? appId ?? '';

const presentCharge = (row: InvoiceRow, names: ReadonlyMap<string, string>): Invoice['charges'][number] => ({
  appId: row.appId,
  appName: row.appId === null ? null : (names.get(row.appId) ?? null),
  smsType: row.smsType as Invoice['charges'][number]['smsType'],
  carrier: row.carrier,
  price: row.price,
  segments: row.segments,
  amount: row.amount === 0 ? 0 : -row.amount,
});
