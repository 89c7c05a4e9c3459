/**
 * Actions that create lasting access or move money. A stolen session must not be sufficient: they require a proof of
 * identity (sign-in, password, second factor) at most ten minutes old, and the owners or admins are notified by email.
 */
import type { RouteKey } from './routes.ts';

export const proofMinutes = 10;

/**
 * `sometimes`: depends on the fields that the call changes; the handler decides. `byBody`: the body contains the
 * password each time, so only the email remains to be sent.
 */
export const stepUpRoutes = {
  'POST /applications': 'always',
  'POST /applications/:appId/secret': 'byBody',
  'POST /applications/:appId/smpp-password': 'byBody',
  'POST /keys': 'always',
  'POST /callback-endpoints/:endpointId/secret': 'byBody',
  'POST /account/two-factor/disable': 'byBody',
  /** Of another user. */
  'POST /members/:userId/reset-two-factor': 'byBody',
  'POST /staff/:userId/reset-two-factor': 'byBody',
  'POST /customers/:customerId/users/:userId/reset-two-factor': 'byBody',
  /** A callback address, or the addresses that may call. */
  'PATCH /applications/:appId': 'sometimes',
  /** An alert's callback address. */
  'POST /thresholds': 'sometimes',
  'PATCH /thresholds/:thresholdId': 'sometimes',
  /** An owner. */
  'POST /members': 'sometimes',
  'PATCH /members/:userId': 'sometimes',
  /** No second factor asked for any more. */
  'PATCH /account/customer': 'sometimes',
  'POST /customers': 'always',
  'POST /customers/:customerId/owners': 'always',
  'POST /account-requests/:accountRequestId/approve': 'always',
  'POST /customers/:customerId/ledger': 'always',
  'POST /customers/:customerId/top-ups/:topUpId/approve': 'always',
  /** Charge type and charge time. */
  'PATCH /customers/:customerId/applications/:appId': 'sometimes',
  'POST /suppliers': 'always',
  /** A password. */
  'PATCH /suppliers/:supplierId': 'sometimes',
  'POST /prices': 'always',
  'PATCH /prices/:priceId': 'always',
  'DELETE /prices/:priceId': 'always',
  'POST /price-changes': 'always',
  'DELETE /price-changes/:changeId': 'always',
  'PATCH /approval-limits': 'always',
  'POST /approvals/:approvalId/approve': 'always',
  'POST /restores/:restoreId/lanes/:lane/decide': 'always',
} as const satisfies Partial<Record<RouteKey, 'always' | 'sometimes' | 'byBody'>>;

export type StepUpRoute = keyof typeof stepUpRoutes;

export const isStepUpRoute = (key: RouteKey): key is StepUpRoute => key in stepUpRoutes;
