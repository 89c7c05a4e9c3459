import { listCallbacksOfMessage } from '@pahatid/db/queries/callback-log';
import { noteConversion } from '@pahatid/db/queries/message-conversions';
import { findRecord } from '@pahatid/db/queries/records';
import type { FastifyInstance } from 'fastify';
import { presentCallbackEvent } from '../../callbacks/present-callback.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { makeReviewRules } from '../../review-rules/review-rules.ts';
import { CallAcceptor } from '../../sending/accept/accept-calls.ts';
import { makeAcceptor } from '../../sending/accept/acceptor.ts';
import { makeNotifier } from '../../sending/notifier.ts';
import { makePausedLanes } from './paused-lanes.ts';
import { presentLife } from './present-life.ts';
import { sendMessages } from './send-messages.ts';

export function registerMessages(app: FastifyInstance, deps: ApiDeps): void {
  const { control } = deps.pools;
  const acceptor = makeAcceptor(control, deps.log);
  const notifier = makeNotifier(control, (err) =>
    deps.log.warn({ err }, 'notification of accepted messages failed, senders poll'),
  );
  const callAcceptor = new CallAcceptor({
    control,
    accept: () => acceptor.quick(),
    notifySenders: () => notifier.notifySenders(),
  });
  const rules = makeReviewRules(control);
  const pausedLanes = makePausedLanes(control);
  app.addHook('onClose', async () => {
    await callAcceptor.idle();
    await notifier.stop();
    await acceptor.stop();
  });

  serve(app, 'POST /messages', (call) =>
    sendMessages(call, { control, gate: app.api.gate, rules, callAcceptor, pausedLanes }),
  );

  serve(app, 'POST /messages/:messageId/conversion', async ({ params, application, inDataScope }) => {
    const { appId, customerId } = application;
    const isCode = await inDataScope((tx) => noteConversion(tx, { customerId, appId, ...params }));
    if (!isCode) throw new ProblemError('NOT_FOUND');
    return undefined;
  });

  serve(app, 'GET /messages/:messageId', async ({ params, application, inDataScope }) => {
    const { appId, customerId } = application;
    const { row, callbacks } = await inDataScope(async (tx) => {
      const found = await findRecord(tx, [customerId], params.messageId);
      if (found === null || found.appId !== appId) throw new ProblemError('NOT_FOUND');
      return { row: found, callbacks: await listCallbacksOfMessage(tx, customerId, found.messageId) };
    });
    return presentLife(row, callbacks.map(presentCallbackEvent));
  });
}
