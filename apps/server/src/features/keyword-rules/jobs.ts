import { makeApplicationGate } from '../../http/authenticate-application.ts';
import { makePausedLanes } from '../../messages/paused-lanes.ts';
import { makeReviewRules } from '../../review-rules/review-rules.ts';
import { CallAcceptor } from '../../sending/accept/accept-calls.ts';
import type { JobList } from '../../sending/job-context.ts';
import { sendKeywordAnswers } from './send-keyword-answers.ts';

export const keywordRuleJobs: JobList = ({ context }) => {
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
  return [
    {
      name: 'keywordAnswers',
      everyMs: 1_000,
      step: () => sendKeywordAnswers(deps, log),
      stop: () => callAcceptor.idle(),
    },
  ];
};
