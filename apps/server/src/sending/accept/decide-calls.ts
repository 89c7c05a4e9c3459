/** Decides on calls by what the database says of their callers: what each message becomes, or why it is refused. */
import { SmsType, UseState } from '@pahatid/contract/enums';
import type { Caller } from '@pahatid/db/queries/api-messages';
import { findWithoutConsent } from '@pahatid/db/queries/consents';
import type { listFunds } from '@pahatid/db/queries/customer-admin';
import { findOptedOut } from '@pahatid/db/queries/files';
import type { KeptAnswer } from '@pahatid/db/queries/idempotency';
import type { loadLimits } from '@pahatid/db/queries/thresholds';
import { getValidForS } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import { NoRouteError } from '../route/routing-table.ts';
import { type AcceptDeps, type Draft, draftMessage, getCost, toLimitedMessage } from './accept.ts';
import { LimitLedger } from './limit-ledger.ts';
import { ReferenceLedger } from './reference-ledger.ts';
import type { CallMessage, CallOutcome, Refusal, SendCall } from './send-call.ts';

export const keyReused: CallOutcome = { kind: 'refusedCall', refusal: { code: 'IDEMPOTENCY_KEY_REUSED' } };

/** A message of a call, with how long it may wait; null: without end. */
export type CallDraft = Draft & { readonly validForS: number | null; readonly notBefore: Date | null } & Pick<
    CallMessage,
    'issued' | 'extra'
  >;

/** A call during its validation. */
export interface Plan {
  readonly call: SendCall;
  /** Its key was taken by this transaction. */
  readonly ownsKey: boolean;
  /** Once there is one. */
  outcome: CallOutcome | null;
  drafts: readonly (CallDraft | Refusal)[];
}

export const isRefusal = (value: CallDraft | Refusal): value is Refusal => 'code' in value;
export const draftsOf = (plan: Plan): CallDraft[] =>
  plan.outcome === null ? plan.drafts.filter((draft): draft is CallDraft => !isRefusal(draft)) : [];
const refuse = (refusal: Refusal): CallOutcome => ({ kind: 'refusedCall', refusal });

/** What decisions need of the database. */
export interface DecisionData {
  readonly limits: Awaited<ReturnType<typeof loadLimits>>;
  readonly funds: Awaited<ReturnType<typeof listFunds>>;
}

export function planCall(
  deps: Pick<AcceptDeps, 'routing'>,
  call: SendCall,
  kept: ReadonlyMap<string, KeptAnswer>,
  callers: ReadonlyMap<string, Caller>,
): Plan {
  const before = call.key === null ? undefined : kept.get(call.key.key);
  const plan: Plan = { call, ownsKey: call.key !== null && before === undefined, outcome: null, drafts: [] };
  const caller = callers.get(call.appId);
  if (before !== undefined)
    plan.outcome = before.requestHash.equals(call.key!.requestHash)
      ? { kind: 'kept', response: before.response }
      : keyReused;
  else if (caller === undefined || caller.useState === UseState.Disabled)
    plan.outcome = refuse({ code: 'APP_DISABLED', params: { appId: call.appId } });
  else if (caller.customerUseState === UseState.Disabled) plan.outcome = refuse({ code: 'CUSTOMER_SUSPENDED' });
  else if (caller.isPaused) plan.outcome = refuse({ code: 'APP_PAUSED', params: { appId: call.appId } });
  else plan.drafts = call.messages.map((message) => draftOne(deps, call, caller, message));
  return plan;
}

function draftOne(
  { routing }: Pick<AcceptDeps, 'routing'>,
  { appId, customerId }: SendCall,
  { chargeType, countries, validFor: ofApplication }: Caller,
  {
    smsType,
    clientSid,
    validFor,
    notBefore = null,
    issued = [],
    extra = null,
    ...recipient
  }: SendCall['messages'][number],
): CallDraft | Refusal {
  const { areaCode, msisdn } = recipient;
  const mayReach =
    countries.includes(areaCode) && routing.isPriced(areaCode, routing.rangeHolder(msisdn), smsType, customerId);
  if (!mayReach) return { code: 'COUNTRY_NOT_OPEN', params: { areaCode } };
  try {
    const terms = { customerId, appId, smsType, clientSid, chargeType, taskId: null, round: 0, notBefore: null };
    const validForS = getValidForS(smsType, ofApplication, validFor);
    return { ...draftMessage(routing, terms, recipient), validForS, notBefore, issued, extra };
  } catch (error) {
    if (!(error instanceof NoRouteError)) throw error;
    return { code: 'NO_ROUTE', params: { carrier: routing.rangeHolder(msisdn) ?? '' } };
  }
}

/** Opt-outs, limits and money, call by call in the order they came. Returns the use of the limits, which is not stored yet. */
export async function decide(
  tx: PoolClient,
  plans: readonly Plan[],
  callers: ReadonlyMap<string, Caller>,
  read: DecisionData,
): Promise<LimitLedger> {
  const drafts = plans.flatMap(draftsOf);
  const barred = await findBarred(tx, drafts, callers);
  const book = await LimitLedger.load(tx, drafts.map(toLimitedMessage), { read: read.limits });
  const references = await ReferenceLedger.load(tx, drafts);
  const funds = listAvailable(plans, callers, read.funds);
  for (const plan of plans) {
    if (plan.outcome !== null) continue;
    plan.drafts = plan.drafts.map((draft) => (isRefusal(draft) ? draft : judge(draft, barred, references, book)));
    const needed = draftsOf(plan).reduce((sum, draft) => sum + getCost(draft), 0);
    const available = funds.get(plan.call.customerId) ?? Number.POSITIVE_INFINITY;
    if (needed > 0 && needed > available) {
      book.takeBack();
      references.takeBack();
      plan.outcome = refuse({ code: 'BALANCE_TOO_LOW', params: { needed, available } });
    } else {
      book.keep();
      references.keep();
      funds.set(plan.call.customerId, available - needed);
    }
  }
  return book;
}

function judge(
  draft: CallDraft,
  barred: ReadonlyMap<string, Refusal['code']>,
  references: ReferenceLedger,
  book: LimitLedger,
): CallDraft | Refusal {
  const bar = draft.smsType === SmsType.Marketing && barred.get(`${draft.customerId}${draft.msisdn}`);
  if (bar) return { code: bar };
  if (references.isTaken(draft)) return { code: 'CLIENT_REF_TAKEN' };
  const verdict = book.take(toLimitedMessage(draft));
  if (verdict.allowed) {
    references.take(draft);
    return draft;
  }
  const retryAfterS = Math.ceil(verdict.retryAfterMs / 1_000);
  return { code: verdict.by === 'volume' ? 'VOLUME_LIMITED' : 'FREQUENCY_LIMITED', params: { retryAfterS } };
}

/** By customer and number: why a recipient gets no marketing of this customer. An opt-out counts first. */
async function findBarred(
  tx: PoolClient,
  drafts: readonly Draft[],
  callers: ReadonlyMap<string, Caller>,
): Promise<ReadonlyMap<string, Refusal['code']>> {
  const barred = new Map<string, Refusal['code']>();
  const requiring = new Set(
    [...callers.values()].filter((each) => each.consentRequired).map((each) => each.customerId),
  );
  const marketing = drafts.filter(({ smsType }) => smsType === SmsType.Marketing);
  for (const [customerId, of] of Map.groupBy(marketing, (draft) => draft.customerId)) {
    const msisdns = of.map((draft) => draft.msisdn);
    if (requiring.has(customerId))
      for (const msisdn of await findWithoutConsent(tx, customerId, msisdns))
        barred.set(`${customerId}${msisdn}`, 'CONSENT_MISSING');
    for (const msisdn of await findOptedOut(tx, customerId, msisdns))
      barred.set(`${customerId}${msisdn}`, 'RECIPIENT_OPTED_OUT');
  }
  return barred;
}

/** Returns each customer's available funds, 1/10,000 PHP; without customers that are never charged. */
function listAvailable(
  plans: readonly Plan[],
  callers: ReadonlyMap<string, Caller>,
  funds: DecisionData['funds'],
): Map<string, number> {
  const available = new Map<string, number>();
  for (const { call } of plans) {
    if (callers.get(call.appId)?.internal !== false) continue;
    const { balance, reserved } = funds.get(call.customerId)!;
    available.set(call.customerId, balance - reserved);
  }
  return available;
}
