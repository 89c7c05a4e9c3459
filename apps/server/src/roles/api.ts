/** The HTTP role: console, API, health. Features are put together here and nowhere else. */

import { registerAccount } from '../features/account/routes.ts';
import { registerAccountRequests } from '../features/account-requests/routes.ts';
import { registerApiCalls } from '../features/api-calls/routes.ts';
import { registerApplications } from '../features/applications/routes.ts';
import { registerApplicationUsage } from '../features/applications/usage-routes.ts';
import { registerApprovals } from '../features/approvals/routes.ts';
import { registerAssignedNumbers } from '../features/assigned-numbers/routes.ts';
import { registerAuditLog } from '../features/audit-log/routes.ts';
import { registerBilling } from '../features/billing/routes.ts';
import { registerCallbacks } from '../features/callbacks/routes.ts';
import { registerCaptcha } from '../features/captcha/routes.ts';
import { registerCharts } from '../features/charts/routes.ts';
import { registerCodes } from '../features/codes/routes.ts';
import { registerCompatibility } from '../features/compatibility/routes.ts';
import { registerConsents } from '../features/consents/routes.ts';
import { registerConversations } from '../features/conversations/routes.ts';
import { registerCustomers } from '../features/customers/routes.ts';
import { registerDemoVisits } from '../features/demo-visits/routes.ts';
import { registerDevOutbox } from '../features/dev-outbox/routes.ts';
import { registerDeveloper } from '../features/developer/routes.ts';
import { registerDossiers } from '../features/dossiers/routes.ts';
import { registerEnquiries } from '../features/enquiries/routes.ts';
import { registerFiles } from '../features/files/routes.ts';
import { registerGroups } from '../features/groups/routes.ts';
import { registerInbound } from '../features/inbound/routes.ts';
import { registerKeys } from '../features/keys/routes.ts';
import { registerKeywordRules } from '../features/keyword-rules/routes.ts';
import { registerLiveEvents } from '../features/live-events/routes.ts';
import { registerMembers } from '../features/members/routes.ts';
import { registerMessages } from '../features/messages/routes.ts';
import { registerNotices } from '../features/notices/routes.ts';
import { registerOptOuts } from '../features/opt-outs/routes.ts';
import { registerOverview } from '../features/overview/routes.ts';
import { registerPasswords } from '../features/passwords/routes.ts';
import { registerPrivacy } from '../features/privacy/routes.ts';
import { registerQuietHours } from '../features/quiet-hours/routes.ts';
import { registerExports } from '../features/records/exports.ts';
import { registerRecords } from '../features/records/routes.ts';
import { registerRestores } from '../features/restores/routes.ts';
import { registerReviews } from '../features/review/routes.ts';
import { registerRoutes } from '../features/routing/carrier-routes.ts';
import { registerPrefixes } from '../features/routing/prefix-routes.ts';
import { registerPriceChanges } from '../features/routing/price-changes.ts';
import { registerPrices } from '../features/routing/prices.ts';
import { registerSuppliers } from '../features/routing/supplier-routes.ts';
import { registerSavedFilters } from '../features/saved-filters/routes.ts';
import { registerSavedReplies } from '../features/saved-replies/routes.ts';
import { registerSearch } from '../features/search/routes.ts';
import { registerTwoFactor } from '../features/second-factors/authenticator-routes.ts';
import { registerPasskeys } from '../features/second-factors/passkey-routes.ts';
import { registerSenders } from '../features/senders/routes.ts';
import { registerSetAside } from '../features/set-aside/routes.ts';
import { registerSetup } from '../features/setup/routes.ts';
import { registerShortLinks } from '../features/short-links/routes.ts';
import { registerSession } from '../features/sign-in/routes.ts';
import { registerStaff } from '../features/staff/routes.ts';
import { registerStatistics } from '../features/statistics/routes.ts';
import { registerTaskFigures } from '../features/tasks/figure-routes.ts';
import { presentTask } from '../features/tasks/present-task.ts';
import { makeRateTracker } from '../features/tasks/rate.ts';
import { registerTasks } from '../features/tasks/routes.ts';
import { registerTemplates } from '../features/templates/routes.ts';
import { registerThresholds } from '../features/thresholds/routes.ts';
import { registerTraffic } from '../features/traffic/routes.ts';
import { registerVerifications } from '../features/verifications/routes.ts';
import { registerViewSettings } from '../features/view-settings/routes.ts';
import type { RegisterFeature } from '../http/app.ts';
import { makeApp } from '../http/app.ts';
import { watchDatabaseRisks, watchQueue } from '../metrics/queue-metrics.ts';
import { listDatabaseRisks, readDatabaseState } from '../process/database-risks.ts';
import { DrainNotice, emptyConnections } from './api-drain.ts';
import type { RunRole } from './role.ts';

const rates = makeRateTracker();

export const apiFeatures: readonly RegisterFeature[] = [
  registerSession,
  registerCaptcha,
  registerCodes,
  registerPasswords,
  registerDevOutbox,
  registerTwoFactor,
  registerPasskeys,
  registerAccount,
  registerSetup,
  registerApplications,
  registerTemplates,
  registerSenders,
  registerTasks,
  registerTaskFigures,
  registerApplicationUsage,
  registerRecords,
  registerStatistics,
  registerCharts,
  registerPrivacy,
  registerMessages,
  registerCompatibility,
  registerVerifications,
  registerReviews,
  registerOverview({
    presentTask,
    rateOf: (row) => rates.rate(row.taskId, row.successCount + row.failedCount + row.unconfirmedCount),
  }),
  registerTraffic({ freshForMs: 2_000 }),
  registerFiles,
  registerGroups,
  registerConsents,
  registerOptOuts,
  registerCallbacks,
  registerInbound,
  registerConversations,
  registerSavedReplies,
  registerKeywordRules,
  registerDeveloper,
  registerApiCalls,
  registerLiveEvents,
  registerKeys,
  registerSuppliers,
  registerRoutes,
  registerPrices,
  registerPriceChanges,
  registerPrefixes,
  registerMembers,
  registerAssignedNumbers,
  registerAuditLog,
  registerCustomers,
  registerApprovals,
  registerRestores,
  registerSetAside,
  registerStaff,
  registerBilling,
  registerDossiers,
  registerEnquiries,
  registerAccountRequests,
  registerDemoVisits,
  registerShortLinks,
  registerNotices,
  registerQuietHours,
  registerThresholds,
  registerSearch,
  registerSavedFilters,
  registerViewSettings,
  registerExports,
];

export const runApi: RunRole = async (context) => {
  const { config, isFirst, log, pools, replicas, secrets, signal, machine, isReplaced } = context;
  const notice = new DrainNotice();
  if (isFirst) {
    watchQueue(pools.data);
    watchDatabaseRisks(async () => listDatabaseRisks(await readDatabaseState(pools.control, config)));
  }
  const app = await makeApp(
    { config, log, pools, replicas, secrets, now: () => new Date(), signal, machine, onProbe: notice.onProbe },
    apiFeatures,
  );
  const { host, port } = config;
  const handle = await machine.listener();
  // Node accepts a listening socket in place of an address; Fastify passes on unknown options, and logs the address.
  await app.listen({ host, port, ...(handle === null ? {} : { handle }) });
  return {
    async stop() {
      // Streams were ended by the signal, and `/readyz` returns 503.
      if (!isReplaced()) await notice.given();
      await emptyConnections(app.server);
      await app.close();
    },
  };
};
