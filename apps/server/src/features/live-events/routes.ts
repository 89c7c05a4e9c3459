import { getCustomerId } from '@pahatid/db';
import { toLiveCustomer } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { followEvents, readPosition, toListener } from './follow-events.ts';

export function registerLiveEvents(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'GET /events', ({ query, scope, user, request, signal }) => {
    const customerId = getCustomerId(scope);
    if (customerId === null) throw fieldProblem('customerId', 'REQUIRED');
    const given = request.headers['last-event-id'];
    // Read as its live customer, whose test mode it is.
    const owner = toLiveCustomer(customerId);
    const from = readPosition(query.after ?? (typeof given === 'string' ? given : undefined));
    return followEvents(deps, toListener(owner, request.application), { user, from, signal });
  });
}
