import type { UseState } from '@pahatid/contract';
import {
  type CustomerChange,
  countCustomers,
  keyOfCustomer,
  listCustomerViews,
  updateCustomer,
} from '@pahatid/db/queries/customer-admin';
import type { FastifyInstance } from 'fastify';
import { onConflict } from '../../http/conflicts.ts';
import { type CursorPart, decodeCursor, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { registerAdding } from './add-customer.ts';
import { registerRequestApproval } from './approve-request.ts';
import { registerMoney } from './enter-money.ts';
import { mustFindCustomer } from './find-customer.ts';
import { registerLimits } from './limits.ts';
import { customerColumns, presentCustomer, presentCustomers, presentSettings } from './present-customer.ts';
import { registerUserFactors } from './reset-user-factors.ts';
import { registerSupportView } from './support-view.ts';
import { registerSuspending } from './suspend-customer.ts';

const keyParts: Record<'customerName' | '-createTime', readonly CursorPart[]> = {
  customerName: ['text', 'uuid'],
  '-createTime': ['time', 'uuid'],
};

export function registerCustomers(app: FastifyInstance, deps: ApiDeps): void {
  serveList(app, 'GET /customers', async ({ query, inScope }) => {
    const { sort, search, reviewPolicy } = query;
    const readPage = (cursor: string | undefined, limit: number) =>
      inScope(async (tx) => {
        const filter = {
          search,
          reviewPolicy,
          useState: query.useState === undefined ? undefined : (Number(query.useState) as UseState),
          sort,
          after: decodeCursor(cursor, sort, keyParts[sort]),
          limit: limit + 1,
        };
        const { rows, nextCursor } = toPage(await listCustomerViews(tx, filter), limit, sort, (row) =>
          keyOfCustomer(sort, row),
        );
        return { items: await presentCustomers(tx, deps, rows), nextCursor, total: await countCustomers(tx, filter) };
      });
    return { fileName: 'customers', columns: customerColumns, readPage };
  });

  serve(app, 'GET /customers/:customerId', ({ params, inScope }) =>
    inScope(async (tx) => presentCustomer(tx, deps, await mustFindCustomer(tx, params.customerId))),
  );

  serve(app, 'PATCH /customers/:customerId', ({ params, body, inScope, audit }) =>
    onConflict({ customer_customer_name_key: 'CUSTOMER_NAME_TAKEN' }, () =>
      inScope(async (tx) => {
        const { customerId } = params;
        const { version, ...change } = body;
        const before = await mustFindCustomer(tx, customerId);
        const after = { ...before, ...change };
        if (after.reviewPolicy === 'aboveCount' && after.reviewAbove === null)
          throw fieldProblem('reviewAbove', 'REQUIRED');
        if (!(await updateCustomer(tx, customerId, version, change as CustomerChange)))
          throw new ProblemError('CONFLICT');
        const changed = await mustFindCustomer(tx, customerId);
        await audit(tx, {
          customerId,
          action: 'edit',
          subjectType: 'customer',
          subjectId: customerId,
          before: presentSettings(before),
          after: presentSettings(changed),
        });
        return presentCustomer(tx, deps, changed);
      }),
    ),
  );

  registerAdding(app, deps);
  registerRequestApproval(app, deps);
  registerUserFactors(app, deps);
  registerSuspending(app, deps);
  registerMoney(app, deps);
  registerLimits(app, deps);
  registerSupportView(app, deps);
}
