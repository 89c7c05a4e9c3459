import { accountRoutes } from './account.ts';
import { accountRequestRoutes } from './account-requests.ts';
import { apiCallRoutes } from './api-calls.ts';
import { applicationRoutes } from './applications.ts';
import { type ApprovalRoute, approvalRouteDefinitions, type PendingApproval } from './approvals.ts';
import { assignedNumberRoutes } from './assigned-numbers.ts';
import { auditLogRoutes } from './audit-log.ts';
import { billingRoutes } from './billing.ts';
import { callbackRoutes } from './callbacks.ts';
import { captchaRoutes } from './captcha.ts';
import { chartRoutes } from './charts.ts';
import { codeRoutes, devOutboxRoutes } from './codes.ts';
import { consentRoutes } from './consents.ts';
import { conversationRoutes } from './conversations.ts';
import { customerRoutes } from './customers.ts';
import { demoVisitRoutes } from './demo-visits.ts';
import { developerRoutes } from './developer.ts';
import { dossierRoutes } from './dossiers.ts';
import { enquiryRoutes } from './enquiries.ts';
import { exportRoutes } from './exports.ts';
import { fileRoutes } from './files.ts';
import { groupRoutes } from './groups.ts';
import { inboundRoutes } from './inbound.ts';
import { keyRoutes } from './keys.ts';
import { keywordRuleRoutes } from './keyword-rules.ts';
import { liveEventRoutes } from './live-events.ts';
import { memberRoutes } from './members.ts';
import { messageRoutes } from './messages.ts';
import { noticeRoutes } from './notices.ts';
import { optOutRoutes } from './opt-outs.ts';
import { overviewRoutes } from './overview.ts';
import { prefixRoutes } from './prefixes.ts';
import { privacyRoutes } from './privacy.ts';
import { quietHoursRoutes } from './quiet-hours.ts';
import { recordRoutes } from './records.ts';
import { restoreRoutes } from './restores.ts';
import { reviewRoutes } from './reviews.ts';
import type { InputOf, OutputOf } from './route.ts';
import { routingRoutes } from './routing.ts';
import { savedFilterRoutes } from './saved-filters.ts';
import { savedReplyRoutes } from './saved-replies.ts';
import { searchRoutes } from './search.ts';
import { senderRoutes } from './senders.ts';
import { sessionRoutes } from './session.ts';
import { setAsideRoutes } from './set-aside.ts';
import { setupRoutes } from './setup.ts';
import { shortLinkRoutes } from './short-links.ts';
import { staffRoutes } from './staff.ts';
import { statisticsRoutes } from './statistics.ts';
import { supplierRoutes } from './suppliers.ts';
import { taskFigureRoutes } from './task-figures.ts';
import { taskRoutes } from './tasks.ts';
import { templateRoutes } from './templates.ts';
import { thresholdRoutes } from './thresholds.ts';
import { topUpRoutes } from './top-ups.ts';
import { trafficRoutes } from './traffic.ts';
import { usageRoutes } from './usage.ts';
import { verificationRoutes } from './verifications.ts';
import { viewSettingRoutes } from './view-settings.ts';

/** Every call of the API, keyed by method and path below `/api/v1`. */
export const routes = {
  ...sessionRoutes,
  ...captchaRoutes,
  ...accountRoutes,
  ...codeRoutes,
  ...setupRoutes,
  ...applicationRoutes,
  ...callbackRoutes,
  ...templateRoutes,
  ...senderRoutes,
  ...dossierRoutes,
  ...assignedNumberRoutes,
  ...fileRoutes,
  ...taskRoutes,
  ...taskFigureRoutes,
  ...usageRoutes,
  ...groupRoutes,
  ...optOutRoutes,
  ...consentRoutes,
  ...inboundRoutes,
  ...conversationRoutes,
  ...savedReplyRoutes,
  ...keywordRuleRoutes,
  ...quietHoursRoutes,
  ...recordRoutes,
  ...statisticsRoutes,
  ...chartRoutes,
  ...privacyRoutes,
  ...messageRoutes,
  ...verificationRoutes,
  ...developerRoutes,
  ...apiCallRoutes,
  ...liveEventRoutes,
  ...keyRoutes,
  ...reviewRoutes,
  ...overviewRoutes,
  ...trafficRoutes,
  ...noticeRoutes,
  ...thresholdRoutes,
  ...supplierRoutes,
  ...routingRoutes,
  ...prefixRoutes,
  ...memberRoutes,
  ...auditLogRoutes,
  ...customerRoutes,
  ...approvalRouteDefinitions,
  ...restoreRoutes,
  ...setAsideRoutes,
  ...staffRoutes,
  ...billingRoutes,
  ...topUpRoutes,
  ...devOutboxRoutes,
  ...demoVisitRoutes,
  ...enquiryRoutes,
  ...accountRequestRoutes,
  ...shortLinkRoutes,
  ...searchRoutes,
  ...savedFilterRoutes,
  ...viewSettingRoutes,
  ...exportRoutes,
};

export type Routes = typeof routes;
export type RouteKey = keyof Routes;

export const apiPrefix = '/api/v1';

type Part = 'params' | 'query' | 'body';
type Given<K extends RouteKey, P extends Part> = InputOf<Routes[K], P>;
type PartsOf<K extends RouteKey> = { [P in Part]: Given<K, P> extends undefined ? never : P }[Part];
/** Parts of which every field may be left out, so the whole may be. */
type FreeParts<K extends RouteKey> = {
  [P in PartsOf<K>]: Record<never, never> extends Given<K, P> ? P : never;
}[PartsOf<K>];

/** What the caller of a route hands over. */
export type CallInput<K extends RouteKey> = { [P in Exclude<PartsOf<K>, FreeParts<K>>]: Given<K, P> } & {
  [P in FreeParts<K>]?: Given<K, P>;
};
/** What the caller of a route gets back. */
export type CallResult<K extends RouteKey> =
  | OutputOf<Routes[K], 'response'>
  | (K extends ApprovalRoute ? PendingApproval : never);
