/** A customer's rules: written by its owners, read by all its users and by staff. A change applies from the next message. */
import { getCustomerId } from '@pahatid/db';
import type { FastifyInstance } from 'fastify';
import { makeCallbackGuard } from '../../callbacks/guard.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { addRule } from './add-rule.ts';
import { editRule } from './edit-rule.ts';
import { assertApplication, mustBeCustomer, mustFindRule, presentOne } from './find-rule.ts';
import { forecastRule } from './forecast.ts';
import { listEvents, listRulesFor } from './list-rules.ts';
import { readRule } from './read-rule.ts';
import { removeRule } from './remove-rule.ts';
import { resumeHeld } from './resume-held.ts';

export function registerThresholds(app: FastifyInstance, deps: ApiDeps): void {
  const guard = makeCallbackGuard(deps.config);

  serveList(app, 'GET /thresholds', (call) => listRulesFor(deps, call));
  serve(app, 'POST /thresholds', (call) => addRule(deps, guard, call));
  serve(app, 'POST /thresholds/forecast', async ({ body, scope, inScope }) => {
    const customerId = mustBeCustomer(scope);
    const rule = readRule(body, guard);
    return inScope(async (tx) => {
      await assertApplication(tx, customerId, rule);
      return forecastRule(tx, customerId, rule, deps.now());
    });
  });
  serve(app, 'GET /thresholds/:thresholdId', ({ params, scope, user, inScope }) =>
    inScope(async (tx) => {
      const row = await mustFindRule(tx, getCustomerId(scope), params.thresholdId);
      return presentOne(tx, row, user, deps.now());
    }),
  );
  serve(app, 'PATCH /thresholds/:thresholdId', (call) => editRule(deps, guard, call));
  serve(app, 'DELETE /thresholds/:thresholdId', (call) => removeRule(deps, call));
  serveList(app, 'GET /thresholds/:thresholdId/events', listEvents);
  serve(app, 'POST /thresholds/:thresholdId/resume', (call) => resumeHeld(deps, call));
}
