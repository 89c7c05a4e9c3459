import { getCustomerId, getFunds } from '@pahatid/db';
import { findDays, listLedger } from '@pahatid/db/queries/ledger';
import { sumCharges, sumSpan } from '@pahatid/db/queries/ledger-sums';
import { getSpendPerDay } from '@pahatid/db/queries/overview';
import { forecastBalance } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { isRealDay, nameCharges, shownCharges } from './charges.ts';
import { assertMaySeeAll, chooseCustomer, chooseZone } from './choose-customer.ts';
import { registerInvoices } from './invoices.ts';
import { registerLedgerDays } from './ledger-days.ts';
import { ledgerColumns, presentLedger } from './present-ledger.ts';
import { registerStatement } from './statement.ts';
import { registerTopUps } from './top-ups.ts';

const SORT = 'ledger';
const longestDays = 366;
const dayMs = 86_400_000;

export function registerBilling(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'GET /billing', async ({ query, scope, inScope, inDataScope }) => {
    const zone = chooseZone(query.zone);
    const { customer, funds } = await inScope(async (tx) => {
      const chosen = await chooseCustomer(tx, scope, query.customerId);
      return { customer: chosen, funds: await getFunds(tx, chosen.customerId) };
    });
    const { customerId, customerName, lowBalance } = customer;
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(deps.now());
    const sums = await inDataScope(async (tx) => {
      const day = await findDays(tx, today, today, zone);
      const month = await findDays(tx, `${today.slice(0, 7)}-01`, today, zone);
      return {
        ofDay: await sumSpan(tx, { customerId, ...day }),
        ofMonth: await sumSpan(tx, { customerId, ...month }),
        perDay: await getSpendPerDay(tx, customerId, zone, deps.now()),
      };
    });
    return {
      customerId,
      customerName,
      ...funds,
      lowBalance,
      chargedToday: sums.ofDay.charged,
      chargedThisMonth: sums.ofMonth.charged,
      toppedUpThisMonth: sums.ofMonth.toppedUp,
      forecast: forecastBalance(funds, sums.perDay),
    };
  });

  serve(app, 'GET /billing/charges', async ({ query, scope, inScope, inReadScope }) => {
    const zone = chooseZone(query.zone);
    const { by, from, to } = query;
    for (const [field, value] of [
      ['from', from],
      ['to', to],
    ] as const)
      if (!isRealDay(value)) throw fieldProblem(field, 'FORMAT');
    const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
    if (days < 1) throw fieldProblem('to', 'TOO_SMALL');
    if (days > longestDays) throw fieldProblem('to', 'TOO_BIG', { maximum: longestDays });
    const { customerId } = await inScope((tx) => chooseCustomer(tx, scope, query.customerId));
    const rows = await inReadScope(async (tx) =>
      sumCharges(tx, { customerId, ...(await findDays(tx, from, to, zone)) }, by, zone),
    );
    return inScope((tx) => nameCharges(tx, { customerId, by, from, to }, rows, shownCharges));
  });

  serveList(app, 'GET /billing/ledger', async ({ query, user, scope, inScope, inDataScope }) => {
    assertMaySeeAll(user, query.customerId);
    if (query.taskId !== undefined && query.from === undefined) throw fieldProblem('from', 'REQUIRED');
    const own = getCustomerId(scope);
    const { name, isReversed } = readOrder(SORT, query.sort, '-time');
    const customer =
      own === null && query.customerId === undefined
        ? null
        : await inScope((tx) => chooseCustomer(tx, scope, query.customerId));
    const readPage = async (cursor: string | undefined, limit: number) => {
      const found = await inDataScope((tx) =>
        listLedger(tx, {
          customerId: customer?.customerId ?? null,
          kind: query.kind,
          taskId: query.taskId === 'none' ? null : query.taskId,
          from: query.from === undefined ? undefined : new Date(query.from),
          to: query.to === undefined ? undefined : new Date(query.to),
          after: decodeCursor(cursor, name, ['time', 'uuid']),
          isReversed,
          limit: limit + 1,
        }),
      );
      const { rows, nextCursor } = toPage(found, limit, name, (row) => [row.timeKey, row.entryId]);
      return { items: await inScope((tx) => presentLedger(tx, own, rows)), nextCursor };
    };
    return { fileName: 'ledger', columns: ledgerColumns(own === null), readPage };
  });

  registerLedgerDays(app, deps);
  registerStatement(app);
  registerInvoices(app, deps);
  registerTopUps(app, deps);
}
