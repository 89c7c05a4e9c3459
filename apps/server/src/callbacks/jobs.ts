import type { JobList } from '../sending/job-context.ts';
import { makeDispatcher } from './dispatcher.ts';
import { makeCallbackGuard } from './guard.ts';
import { makePoster } from './post.ts';

export const callbackJobs: JobList = ({ context, config, secrets }) => {
  const dispatcher = makeDispatcher(context, { ...config, secrets, poster: makePoster(makeCallbackGuard(config)) });
  return [
    {
      name: 'callbacks',
      everyMs: 500,
      // Events are delivered outside the loop, so there is no need to hurry.
      step: async () => void (await dispatcher.step()),
      stop: () => dispatcher.stop(),
    },
  ];
};
