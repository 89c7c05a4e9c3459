import { makeJobSending } from '../../messages/job-sending.ts';
import type { JobList } from '../../sending/job-context.ts';
import { sendKeywordAnswers } from './send-keyword-answers.ts';

export const keywordRuleJobs: JobList = ({ context }) => {
  const { deps, idle } = makeJobSending(context);
  return [
    {
      name: 'keywordAnswers',
      everyMs: 1_000,
      step: () => sendKeywordAnswers(deps, context.log),
      stop: idle,
    },
  ];
};
