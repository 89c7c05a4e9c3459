/**
 * Acts that make lasting access or move money. A stolen session must not be enough for them: they need a proof of who
 * one is (sign-in, password, second factor) that is at most ten minutes old, and the owners or admins are mailed.
 */
import type { RouteKey } from './routes.ts';

export const proofMinutes = 10;

/**
 * `sometimes`: where the call changes what is named; the handler decides. `byBody`: the body bears the password each time,
 * so that only the mail is left to do.
 */
export const stepUpRoutes = {
  'POST /applications': 'always',
  'POST /applications/:appId/secret': 'byBody',
  'POST /applications/:appId/smpp-password': 'byBody',
  'POST /callback-endpoints/:endpointId/secret': 'byBody',
  'POST /account/two-factor/disable': 'byBody',
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
  'POST /customers/:customerId/ledger': 'always',
  /** Who pays, and when. */
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
} as const satisfies Partial<Record<RouteKey, 'always' | 'sometimes' | 'byBody'>>;

export type StepUpRoute = keyof typeof stepUpRoutes;

export const isStepUpRoute = (key: RouteKey): key is StepUpRoute => key in stepUpRoutes;
