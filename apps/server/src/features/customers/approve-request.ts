import { decideAccountRequest, findAccountRequest, lockOpenAccountRequest } from '@pahatid/db/queries/account-requests';
import type { FastifyInstance } from 'fastify';
import { onConflict } from '../../http/conflicts.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { addCustomer } from './add-customer.ts';

/** Adds the customer that a visitor asked for. The person that asked is invited by mail, in the language of the request. */
export function registerRequestApproval(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'POST /account-requests/:accountRequestId/approve', ({ params, body, user, inScope, audit }) =>
    onConflict({ customer_customer_name_key: 'CUSTOMER_NAME_TAKEN' }, () =>
      inScope(async (tx) => {
        const { accountRequestId } = params;
        const open = await lockOpenAccountRequest(tx, accountRequestId);
        if (open === null) {
          const isKnown = (await findAccountRequest(tx, accountRequestId)) !== null;
          throw new ProblemError(isKnown ? 'CONFLICT' : 'NOT_FOUND');
        }
        const owner = { ownerEmail: open.email, invite: 'email', invitedBy: user.userId, lang: open.locale } as const;
        const { row, after } = await addCustomer(tx, deps, { ...body, ...owner });
        const { customerId } = row;
        const decision = { state: 'approved', customerId, userId: user.userId, now: deps.now() } as const;
        await decideAccountRequest(tx, accountRequestId, decision);
        await audit(tx, { customerId, action: 'add', subjectType: 'customer', subjectId: customerId, after });
        return { customerId };
      }),
    ),
  );
}
