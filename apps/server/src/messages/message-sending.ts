/** What a process needs to accept messages over HTTP: made once, shared by the features that do. */
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../http/deps.ts';
import { makeReviewRules } from '../review-rules/review-rules.ts';
import { CallAcceptor } from '../sending/accept/accept-calls.ts';
import { type Acceptor, makeAcceptor } from '../sending/accept/acceptor.ts';
import { makeNotifier } from '../sending/notifier.ts';
import { makePausedLanes } from './paused-lanes.ts';
import type { SendDeps } from './send-messages.ts';

export interface MessageSending extends SendDeps {
  readonly acceptor: Acceptor;
}

const made = new WeakMap<FastifyInstance, MessageSending>();

/** Ends with the server. */
export function getMessageSending(app: FastifyInstance, deps: ApiDeps): MessageSending {
  const before = made.get(app);
  if (before !== undefined) return before;
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
  app.addHook('onClose', async () => {
    await callAcceptor.idle();
    await notifier.stop();
    await acceptor.stop();
  });
  const sending: MessageSending = {
    acceptor,
    control,
    gate: app.api.gate,
    rules: makeReviewRules(control),
    callAcceptor,
    pausedLanes: makePausedLanes(control),
    now: deps.now,
  };
  made.set(app, sending);
  return sending;
}
