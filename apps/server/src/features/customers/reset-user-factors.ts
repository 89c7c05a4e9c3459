/** Support for a customer's user that lost every second factor. */
import { findMember } from '@pahatid/db/queries/members';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { reauthenticate } from '../../http/reauthenticate.ts';
import { serve } from '../../http/serve.ts';
import { resetFactors } from '../../second-factors/reset-factors.ts';

export function registerUserFactors(app: FastifyInstance, deps: ApiDeps): void {
  serve(
    app,
    'POST /customers/:customerId/users/:userId/reset-two-factor',
    async ({ params, body, user, lang, withTransaction, audit }) => {
      const { customerId, userId } = params;
      if ((await findMember(deps.pools.control, customerId, userId)) === null) throw new ProblemError('NOT_FOUND');
      await reauthenticate(app.api, user, body.currentPassword);
      await withTransaction((tx) =>
        resetFactors(tx, { userId, customerId, by: 'staff', reason: body.reason, page: lang, audit }),
      );
      return undefined;
    },
  );
}
