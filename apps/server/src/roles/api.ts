/** The HTTP role: console, API, health. Features are put together here and nowhere else. */

import { registerApplications } from '../features/applications/routes.ts';
import { registerFiles } from '../features/files/routes.ts';
import { registerOverview } from '../features/overview/routes.ts';
import { registerRecords } from '../features/records/routes.ts';
import { registerReviews } from '../features/reviews/routes.ts';
import { registerSenders } from '../features/senders/routes.ts';
import { registerSession } from '../features/session/routes.ts';
import { presentTask } from '../features/tasks/present-task.ts';
import { makeRateTracker } from '../features/tasks/rate.ts';
import { registerTasks } from '../features/tasks/routes.ts';
import { registerTemplates } from '../features/templates/routes.ts';
import type { RegisterFeature } from '../http/app.ts';
import { makeApp } from '../http/app.ts';
import type { RunRole } from './role.ts';

const rates = makeRateTracker();

export const apiFeatures: readonly RegisterFeature[] = [
  registerSession,
  registerApplications,
  registerTemplates,
  registerSenders,
  registerTasks,
  registerRecords,
  registerReviews,
  registerOverview({
    presentTask,
    rateOf: (row) => rates.rate(row.task_id, row.success_count + row.failed_count + row.unconfirmed_count),
  }),
  registerFiles,
];

export const runApi: RunRole = async ({ config, log, pools, secrets, signal }) => {
  const ending = new AbortController();
  const app = await makeApp(
    { config, log, pools, secrets, now: () => new Date(), signal: AbortSignal.any([signal, ending.signal]) },
    apiFeatures,
  );
  await app.listen({ host: config.host, port: config.port });
  log.info({ host: config.host, port: config.port }, 'api is serving');
  return {
    stop: async () => {
      // Event streams end first: closing waits for answers under way.
      ending.abort();
      await app.close();
    },
  };
};
