/** When a customer's marketing waits: read by everybody of it, made longer by its owners. It holds from the next look on. */
import { readQuietHours, setQuietHours } from '@pahatid/db/queries/quiet-hours';
import { isQuietWindow } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';

export function registerQuietHours(app: FastifyInstance): void {
  serve(app, 'GET /quiet-hours', ({ user, inScope }) => {
    const customerId = mustBeCustomer(user.customerId);
    return inScope((tx) => readQuietHours(tx, customerId));
  });

  serve(app, 'PATCH /quiet-hours', ({ user, body, withTransaction, audit }) => {
    const customerId = mustBeCustomer(user.customerId);
    if (!isQuietWindow(body)) throw fieldProblem('to', 'NOT_AN_OPTION');
    return withTransaction(async (tx) => {
      const before = await setQuietHours(tx, customerId, body);
      await audit(tx, {
        action: 'edit',
        subjectType: 'customer',
        subjectId: customerId,
        before: { quietFrom: before?.from, quietTo: before?.to },
        after: { quietFrom: body.from, quietTo: body.to },
      });
      return readQuietHours(tx, customerId);
    });
  });
}

function mustBeCustomer(customerId: string | null): string {
  if (customerId === null) throw new ProblemError('FORBIDDEN');
  return customerId;
}
