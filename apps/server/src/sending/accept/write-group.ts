/** One group of calls decided and written, in the caller's transaction. */
import { SmsType, UseState } from '@pahatid/contract/enums';
import { isLockTimeout, setLockTimeout, together } from '@pahatid/db';
import { type LockedCaller, lockCallers } from '@pahatid/db/queries/api-messages';
import { listFunds } from '@pahatid/db/queries/customer-admin';
import { findOptedOut } from '@pahatid/db/queries/files';
import { type KeptAnswer, settleKeys, takeKeys } from '@pahatid/db/queries/idempotency';
import { insertMessageExtras } from '@pahatid/db/queries/message-extras';
import { deleteSmppText, type IssuedId, insertIssuedIds } from '@pahatid/db/queries/smpp-texts';
import { loadLimits } from '@pahatid/db/queries/thresholds';
import { getValidForS } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import { NoRouteError } from '../route/routing-table.ts';
import {
  type AcceptDeps,
  type Draft,
  draftMessage,
  getCost,
  toLimitedMessage,
  toValidUntil,
  writeDrafts,
} from './accept.ts';
import type { GroupMark } from './commit-outcome.ts';
import { LimitLedger } from './limit-ledger.ts';
import { type LinksByCode, readLinks } from './link-codes.ts';
import { ReferenceLedger } from './reference-ledger.ts';
import type { CallMessage, CallOutcome, Refusal, SendCall, SendCallResult } from './send-call.ts';

/**
 * How a group treats the rows of its customers. `shared`: calls of customers whose rows are locked are postponed, and so
 * are those of customers with limits, whose checks would hold up the others. `free`, for one customer: the group is
 * postponed if the row is locked. `wait`, for one customer: it waits for the row for a moment.
 */
export type CallerLock = 'shared' | 'free' | 'wait';

/** Nothing of the call was done, and its key is free. */
export type Postponed = 'locked' | 'limited';

/** The row of a group's only customer is locked; nothing was done. */
export class CallersLockedError extends Error {
  override name = 'CallersLockedError';
}

/** A group that waits holds a connection, so it lets others wait after this time. */
const LOCK_WAIT_MS = 250;

export interface WrittenGroup {
  /** Of each call, in order. */
  readonly outcomes: (CallOutcome | Postponed)[];
  /** Identifies later whether the group was committed; null if no message was written. */
  readonly mark: GroupMark | null;
  /** Messages written, by send type. */
  readonly counts: ReadonlyMap<SmsType, number>;
}

export const keyReused: CallOutcome = { kind: 'refusedCall', refusal: { code: 'IDEMPOTENCY_KEY_REUSED' } };

/** A message of a call, with how long it may wait; null: without end. */
type CallDraft = Draft & { readonly validForS: number | null; readonly notBefore: Date | null } & Pick<
    CallMessage,
    'issued' | 'extra'
  >;

/** A call during its validation. */
interface Plan {
  readonly call: SendCall;
  /** Its key was taken by this transaction. */
  readonly ownsKey: boolean;
  /** Once there is one. */
  outcome: CallOutcome | null;
  drafts: readonly (CallDraft | Refusal)[];
}

const isRefusal = (value: CallDraft | Refusal): value is Refusal => 'code' in value;
const draftsOf = (plan: Plan): CallDraft[] =>
  plan.outcome === null ? plan.drafts.filter((draft): draft is CallDraft => !isRefusal(draft)) : [];
const refuse = (refusal: Refusal): CallOutcome => ({ kind: 'refusedCall', refusal });

/**
 * Throws `CallersLockedError` if `lock` is not `shared` and the customer's row is locked. The rows are locked first: a
 * transaction that has the same keys as another waits for its customer's row, not for the keys.
 */
export async function writeGroup(
  tx: PoolClient,
  deps: AcceptDeps,
  calls: readonly SendCall[],
  lock: CallerLock,
): Promise<WrittenGroup> {
  const { callers, xid, nowMs, ...read } = await lockAndRead(tx, calls, lock);
  const postponed = calls.map((call) => (lock === 'shared' ? postpone(callers.get(call.appId)) : null));
  const open = calls.filter((_, index) => postponed[index] === null);
  const kept = await takeKeys(
    tx,
    open.flatMap(({ customerId, key }) => (key === null ? [] : [{ customerId, ...key }])),
  );
  const plans = open.map((call) => planCall(deps, call, kept, callers));
  await decide(tx, plans, callers, read);
  const { mark, idOf } = await write(tx, deps, plans, { xid, nowMs, links: read.links });
  await answer(tx, plans, idOf);
  const counts = new Map<SmsType, number>();
  for (const { smsType } of plans.filter(({ outcome }) => outcome?.kind === 'answered').flatMap(draftsTaken))
    counts.set(smsType as SmsType, (counts.get(smsType as SmsType) ?? 0) + 1);
  const decided = plans.values();
  return { outcomes: postponed.map((each) => each ?? decided.next().value!.outcome!), mark, counts };
}

/** What a group needs of the database, read under the locks. */
interface GroupData {
  readonly limits: Awaited<ReturnType<typeof loadLimits>>;
  readonly funds: Awaited<ReturnType<typeof listFunds>>;
  /** Undefined for many texts: they are searched for links once, when the links are written. */
  readonly links: LinksByCode | undefined;
}

/** Texts searched for links ahead, to save a round trip; the search takes time by their length. */
const FEW_TEXTS = 100;

/** Sent behind the statement that locks, the others see what the locks guard. */
async function lockAndRead(
  tx: PoolClient,
  calls: readonly SendCall[],
  lock: CallerLock,
): Promise<Awaited<ReturnType<typeof lockCallers>> & GroupData> {
  const customerIds = [...new Set(calls.map(({ customerId }) => customerId))];
  const texts = calls.flatMap(({ customerId, messages }) => messages.map(({ content }) => ({ customerId, content })));
  const [found, limits, funds, links] = await together(tx, [
    () => lockAll(tx, calls, lock),
    () => loadLimits(tx, customerIds),
    () => listFunds(tx, customerIds),
    async () => (texts.length > FEW_TEXTS ? undefined : readLinks(tx, texts)),
  ]);
  return { ...found, limits, funds, links };
}

/** An application that does not exist is missing, and so is one that is locked, except after a wait. */
async function lockAll(tx: PoolClient, calls: readonly SendCall[], lock: CallerLock): ReturnType<typeof lockCallers> {
  const appIds = [...new Set(calls.map(({ appId }) => appId))];
  if (lock !== 'wait') {
    const found = await lockCallers(tx, appIds, { skipLocked: true });
    if (lock === 'free' && found.callers.size < appIds.length) throw new CallersLockedError();
    return found;
  }
  try {
    const [, found] = await together(tx, [
      () => setLockTimeout(tx, LOCK_WAIT_MS),
      () => lockCallers(tx, appIds, { skipLocked: false }),
      () => setLockTimeout(tx, 0),
    ]);
    return found;
  } catch (error) {
    throw isLockTimeout(error) ? new CallersLockedError() : error;
  }
}

const postpone = (caller: LockedCaller | undefined): Postponed | null => {
  if (caller === undefined) return 'locked';
  return caller.isLimited ? 'limited' : null;
};

const draftsTaken = (plan: Plan): CallDraft[] => plan.drafts.filter((draft): draft is CallDraft => !isRefusal(draft));

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
  { chargeType, countries, validFor: ofApplication }: LockedCaller,
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

/** Opt-outs, limits and money, call by call in the order they came. */
async function decide(
  tx: PoolClient,
  plans: readonly Plan[],
  callers: ReadonlyMap<string, LockedCaller>,
  read: GroupData,
): Promise<void> {
  const drafts = plans.flatMap(draftsOf);
  const optedOut = await readOptOuts(tx, drafts);
  const book = await LimitLedger.load(tx, drafts.map(toLimitedMessage), { read: read.limits });
  const references = await ReferenceLedger.load(tx, drafts);
  const funds = listAvailable(plans, callers, read.funds);
  for (const plan of plans) {
    if (plan.outcome !== null) continue;
    plan.drafts = plan.drafts.map((draft) => (isRefusal(draft) ? draft : judge(draft, optedOut, references, book)));
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
  await book.write(tx);
}

function judge(
  draft: CallDraft,
  optedOut: ReadonlySet<string>,
  references: ReferenceLedger,
  book: LimitLedger,
): CallDraft | Refusal {
  if (optedOut.has(`${draft.customerId}${draft.msisdn}`)) return { code: 'RECIPIENT_OPTED_OUT' };
  if (references.isTaken(draft)) return { code: 'CLIENT_REF_TAKEN' };
  const verdict = book.take(toLimitedMessage(draft));
  if (verdict.allowed) {
    references.take(draft);
    return draft;
  }
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
function listAvailable(
  plans: readonly Plan[],
  callers: ReadonlyMap<string, LockedCaller>,
  funds: GroupData['funds'],
): Map<string, number> {
  const available = new Map<string, number>();
  for (const { call } of plans) {
    if (callers.get(call.appId)?.internal !== false) continue;
    const { balance, reserved } = funds.get(call.customerId)!;
    available.set(call.customerId, balance - reserved);
  }
  return available;
}

/** Messages of one application, send type and life share batches, whichever call they came with. */
async function write(
  tx: PoolClient,
  deps: AcceptDeps,
  plans: readonly Plan[],
  {
    xid,
    nowMs,
    links,
  }: { readonly xid: string | null; readonly nowMs: number; readonly links: LinksByCode | undefined },
): Promise<{ mark: GroupMark | null; idOf: ReadonlyMap<Draft, bigint> }> {
  const nameOf = ({ appId, smsType, validForS, notBefore }: CallDraft): string =>
    `${smsType}${appId} ${validForS} ${notBefore?.getTime()}`;
  const groups = [...Map.groupBy(plans.flatMap(draftsOf), nameOf).values()];
  const { batches, messageIds } = await writeDrafts(
    tx,
    deps,
    groups.map((drafts) => {
      const { customerId, appId, smsType, taskId, validForS, notBefore } = drafts[0]!;
      const validUntil = toValidUntil(nowMs, validForS, notBefore);
      return { terms: { customerId, appId, smsType, taskId, round: 0, notBefore, validUntil }, drafts };
    }),
    links,
  );
  const idOf = new Map<Draft, bigint>();
  for (const [which, drafts] of groups.entries())
    for (const [index, draft] of drafts.entries()) idOf.set(draft, messageIds[which]![index]!);
  await insertIssuedIds(
    tx,
    [...idOf].flatMap(([draft, messageId]) => toIssuedIds(draft as CallDraft, messageId)),
  );
  await insertMessageExtras(
    tx,
    [...idOf].flatMap(([draft, messageId]) => {
      const { customerId, appId, extra } = draft as CallDraft;
      return extra == null ? [] : [{ ...extra, customerId, appId, messageId }];
    }),
  );
  for (const { outcome, call } of plans)
    if (outcome === null && call.joined !== undefined) await deleteSmppText(tx, call.joined.key, call.joined.textId);
  const first = batches[0];
  return { mark: first === undefined || xid === null ? null : { xid, batchId: first.batchId }, idOf };
}

const toIssuedIds = ({ customerId, appId, issued = [] }: CallDraft, messageId: bigint): IssuedId[] =>
  issued.map((each) => ({ ...each, customerId, appId, messageId }));

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
