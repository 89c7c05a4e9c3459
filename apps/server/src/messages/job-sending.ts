import { makeApplicationGate } from '../http/authenticate-application.ts';
import { makeReviewRules } from '../review-rules/review-rules.ts';
import { CallAcceptor } from '../sending/accept/accept-calls.ts';
import type { TaskJobContext } from '../sending/job-context.ts';
import { makePausedLanes } from './paused-lanes.ts';
import type { SendDeps } from './send-messages.ts';

/** What a job needs to send single messages by the path of every call; `idle` resolves when none is being accepted. */
export function makeJobSending(context: TaskJobContext): { deps: SendDeps; idle: () => Promise<void> } {
  const { pool, log } = context;
  const now = () => new Date(Date.now() + context.offsetMs);
  const callAcceptor = new CallAcceptor({
    control: pool,
    accept: () => context.accept(),
    notifySenders: () => context.notifySenders(),
  });
  const deps = {
    control: pool,
    gate: makeApplicationGate({ pools: { control: pool, data: pool }, now, log }),
    rules: makeReviewRules(pool),
    callAcceptor,
    pausedLanes: makePausedLanes(pool),
    now,
  };
  return { deps, idle: () => callAcceptor.idle() };
}
