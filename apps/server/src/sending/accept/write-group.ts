/** One group of calls decided and written, in the caller's transaction. */
import { SmsType, UseState } from '@pahatid/contract/enums';
import { type LockedCaller, lockCallers } from '@pahatid/db/queries/api-messages';
import { findOptedOut } from '@pahatid/db/queries/files';
import { type KeptAnswer, settleKeys, takeKeys } from '@pahatid/db/queries/idempotency';
import { getAvailable } from '@pahatid/db/queries/reservations';
import type { PoolClient } from 'pg';
import { NoRouteError } from '../route/routing-table.ts';
import { type AcceptDeps, type Draft, draftMessage, getCost, toLimitedMessage, writeDrafts } from './accept.ts';
import type { GroupMark } from './commit-outcome.ts';
import { LimitLedger } from './limit-ledger.ts';
import type { CallOutcome, Refusal, SendCall, SendCallResult } from './send-call.ts';

export interface WrittenGroup {
  /** Of each call, in order. */
  readonly outcomes: CallOutcome[];
  /** Identifies later whether the group was committed; null if no message was written. */
  readonly mark: GroupMark | null;
  /** Messages written, by send type. */
  readonly counts: ReadonlyMap<SmsType, number>;
}

export const keyReused: CallOutcome = { kind: 'refusedCall', refusal: { code: 'IDEMPOTENCY_KEY_REUSED' } };

/** A call during its validation. */
interface Plan {
  readonly call: SendCall;
  /** Its key was taken by this transaction. */
  readonly ownsKey: boolean;
  /** Once there is one. */
  outcome: CallOutcome | null;
  drafts: readonly (Draft | Refusal)[];
}

const isRefusal = (value: Draft | Refusal): value is Refusal => 'code' in value;
const draftsOf = (plan: Plan): Draft[] =>
  plan.outcome === null ? plan.drafts.filter((draft): draft is Draft => !isRefusal(draft)) : [];
const refuse = (refusal: Refusal): CallOutcome => ({ kind: 'refusedCall', refusal });

export async function writeGroup(tx: PoolClient, deps: AcceptDeps, calls: readonly SendCall[]): Promise<WrittenGroup> {
  const kept = await takeKeys(
    tx,
    calls.flatMap(({ customerId, key }) => (key === null ? [] : [{ customerId, ...key }])),
  );
  const { callers, xid } = await lockCallers(tx, [...new Set(calls.map(({ appId }) => appId))]);
  const plans = calls.map((call) => planCall(deps, call, kept, callers));
  await decide(tx, plans, callers);
  const { mark, idOf } = await write(tx, deps, plans, xid);
  await answer(tx, plans, idOf);
  const counts = new Map<SmsType, number>();
  for (const { smsType } of plans.filter(({ outcome }) => outcome?.kind === 'answered').flatMap(draftsTaken))
    counts.set(smsType as SmsType, (counts.get(smsType as SmsType) ?? 0) + 1);
  return { outcomes: plans.map(({ outcome }) => outcome!), mark, counts };
}

const draftsTaken = (plan: Plan): Draft[] => plan.drafts.filter((draft): draft is Draft => !isRefusal(draft));

function planCall(
  deps: AcceptDeps,
  call: SendCall,
  kept: ReadonlyMap<string, KeptAnswer>,
  callers: ReadonlyMap<string, LockedCaller>,
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
  { routing }: AcceptDeps,
  { appId, customerId }: SendCall,
  { chargeType, countries }: LockedCaller,
  { smsType, clientSid, ...recipient }: SendCall['messages'][number],
): Draft | Refusal {
  const { areaCode, msisdn } = recipient;
  const mayReach =
    countries.includes(areaCode) && routing.isPriced(areaCode, routing.rangeHolder(msisdn), smsType, customerId);
  if (!mayReach) return { code: 'COUNTRY_NOT_OPEN', params: { areaCode } };
  try {
    const terms = { customerId, appId, smsType, clientSid, chargeType, taskId: null, round: 0, notBefore: null };
    return draftMessage(routing, terms, recipient);
  } catch (error) {
    if (!(error instanceof NoRouteError)) throw error;
    return { code: 'NO_ROUTE', params: { carrier: routing.rangeHolder(msisdn) ?? '' } };
  }
}

/** Opt-outs, limits and money, call by call in the order they came. */
async function decide(
  tx: PoolClient,
  plans: readonly Plan[],
  callers: ReadonlyMap<string, LockedCaller>,
): Promise<void> {
  const drafts = plans.flatMap(draftsOf);
  const optedOut = await readOptOuts(tx, drafts);
  const book = await LimitLedger.load(tx, drafts.map(toLimitedMessage));
  const funds = await readFunds(tx, plans, callers);
  for (const plan of plans) {
    if (plan.outcome !== null) continue;
    plan.drafts = plan.drafts.map((draft) => (isRefusal(draft) ? draft : judge(draft, optedOut, book)));
    const needed = draftsOf(plan).reduce((sum, draft) => sum + getCost(draft), 0);
    const available = funds.get(plan.call.customerId) ?? Number.POSITIVE_INFINITY;
    if (needed > 0 && needed > available) {
      book.takeBack();
      plan.outcome = refuse({ code: 'BALANCE_TOO_LOW', params: { needed, available } });
    } else {
      book.keep();
      funds.set(plan.call.customerId, available - needed);
    }
  }
  await book.write(tx);
}

function judge(draft: Draft, optedOut: ReadonlySet<string>, book: LimitLedger): Draft | Refusal {
  if (optedOut.has(`${draft.customerId}${draft.msisdn}`)) return { code: 'RECIPIENT_OPTED_OUT' };
  const verdict = book.take(toLimitedMessage(draft));
  if (verdict.allowed) return draft;
  const retryAfterS = Math.ceil(verdict.retryAfterMs / 1_000);
  return { code: verdict.by === 'volume' ? 'VOLUME_LIMITED' : 'FREQUENCY_LIMITED', params: { retryAfterS } };
}

/** Returns customer and number of recipients that opted out of this customer's marketing. */
async function readOptOuts(tx: PoolClient, drafts: readonly Draft[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const marketing = drafts.filter(({ smsType }) => smsType === SmsType.Marketing);
  for (const [customerId, of] of Map.groupBy(marketing, (draft) => draft.customerId))
    for (const msisdn of await findOptedOut(
      tx,
      customerId,
      of.map((draft) => draft.msisdn),
    ))
      found.add(`${customerId}${msisdn}`);
  return found;
}

/** Returns each customer's available funds, 1/10,000 PHP; without customers that are never charged. */
async function readFunds(
  tx: PoolClient,
  plans: readonly Plan[],
  callers: ReadonlyMap<string, LockedCaller>,
): Promise<Map<string, number>> {
  const paying = new Set<string>();
  for (const plan of plans) {
    const isCharged =
      callers.get(plan.call.appId)?.internal === false && draftsOf(plan).some((each) => getCost(each) > 0);
    if (isCharged) paying.add(plan.call.customerId);
  }
  const funds = new Map<string, number>();
  for (const customerId of paying) funds.set(customerId, await getAvailable(tx, customerId));
  return funds;
}

/** Messages of one application and send type share batches, whichever call they came with. */
async function write(
  tx: PoolClient,
  deps: AcceptDeps,
  plans: readonly Plan[],
  xid: string | null,
): Promise<{ mark: GroupMark | null; idOf: ReadonlyMap<Draft, bigint> }> {
  const groups = [...Map.groupBy(plans.flatMap(draftsOf), ({ appId, smsType }) => `${smsType}${appId}`).values()];
  const { batches, messageIds } = await writeDrafts(
    tx,
    deps,
    groups.map((drafts) => {
      const { customerId, appId, smsType, taskId } = drafts[0]!;
      return { terms: { customerId, appId, smsType, taskId, round: 0, notBefore: null }, drafts };
    }),
  );
  const idOf = new Map<Draft, bigint>();
  for (const [which, drafts] of groups.entries())
    for (const [index, draft] of drafts.entries()) idOf.set(draft, messageIds[which]![index]!);
  const first = batches[0];
  return { mark: first === undefined || xid === null ? null : { xid, batchId: first.batchId }, idOf };
}

/** Stores each caller's response under its key; the keys of refused calls are released. */
async function answer(tx: PoolClient, plans: readonly Plan[], idOf: ReadonlyMap<Draft, bigint>): Promise<void> {
  const kept: { customerId: string; key: string; status: number; response: unknown }[] = [];
  const refused: { customerId: string; key: string }[] = [];
  for (const plan of plans) {
    const { customerId, key } = plan.call;
    if (plan.outcome === null) {
      const results = plan.drafts.map(
        (draft): SendCallResult =>
          isRefusal(draft) ? { refusal: draft } : { messageId: String(idOf.get(draft)), pkgTotal: draft.pkgTotal },
      );
      const answer = plan.call.answer(results);
      plan.outcome = answer === null ? { kind: 'refused', results } : { kind: 'answered', response: answer.response };
      if (answer !== null && key !== null) kept.push({ customerId, key: key.key, ...answer });
    }
    if (plan.ownsKey && plan.outcome.kind !== 'answered') refused.push({ customerId, key: key!.key });
  }
  await settleKeys(tx, kept, refused);
}
