/** Whether a customer's marketing requires consent: read by everybody of it, set by its owners. It holds from the next check on. */
import { readMarketingPolicy, setMarketingPolicy } from '@pahatid/db/queries/consents';
import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';

export function registerMarketingPolicy(app: FastifyInstance): void {
  serve(app, 'GET /marketing-policy', ({ user, inScope }) => {
    const customerId = mustBeCustomer(user.customerId);
    return inScope((tx) => readMarketingPolicy(tx, customerId));
  });

  serve(app, 'PATCH /marketing-policy', ({ user, body, withTransaction, audit }) => {
    const customerId = mustBeCustomer(user.customerId);
    return withTransaction(async (tx) => {
      const before = await readMarketingPolicy(tx, customerId);
      const after = { consentRequired: body.consentRequired ?? before.consentRequired };
      await setMarketingPolicy(tx, customerId, after);
      await audit(tx, { action: 'edit', subjectType: 'customer', subjectId: customerId, before: { ...before }, after });
      return after;
    });
  });
}

function mustBeCustomer(customerId: string | null): string {
  if (customerId === null) throw new ProblemError('FORBIDDEN');
  return customerId;
}
