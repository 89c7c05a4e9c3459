/** One group of calls decided and written, in the caller's transaction. */
import type { SmsType } from '@pahatid/contract/enums';
import { isLockTimeout, setLockTimeout, together } from '@pahatid/db';
import { type Caller, lockCallers } from '@pahatid/db/queries/api-messages';
import { listFunds } from '@pahatid/db/queries/customer-admin';
import { settleKeys, takeKeys } from '@pahatid/db/queries/idempotency';
import { insertMessageExtras } from '@pahatid/db/queries/message-extras';
import { deleteSmppText, type IssuedId, insertIssuedIds } from '@pahatid/db/queries/smpp-texts';
import { loadLimits } from '@pahatid/db/queries/thresholds';
import type { PoolClient } from 'pg';
import { type AcceptedMessage, getTraces } from '../../traces/message-traces.ts';
import { type AcceptDeps, type Draft, toValidUntil, writeDrafts } from './accept.ts';
import type { GroupMark } from './commit-outcome.ts';
import { type CallDraft, type DecisionData, decide, draftsOf, isRefusal, type Plan, planCall } from './decide-calls.ts';
import { type LinksByCode, readLinks } from './link-codes.ts';
import type { CallOutcome, SendCall, SendCallResult } from './send-call.ts';

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
  /** For traces; empty while they are off. */
  readonly traced: readonly TracedCall[];
}

interface TracedCall {
  readonly call: SendCall;
  readonly messages: readonly AcceptedMessage[];
}

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
  const book = await decide(tx, plans, callers, read);
  await book.write(tx);
  const { mark, idOf } = await write(tx, deps, plans, { xid, nowMs, links: read.links });
  await answer(tx, plans, idOf);
  const counts = new Map<SmsType, number>();
  for (const { smsType } of plans.filter(({ outcome }) => outcome?.kind === 'answered').flatMap(draftsTaken))
    counts.set(smsType as SmsType, (counts.get(smsType as SmsType) ?? 0) + 1);
  const decided = plans.values();
  const outcomes = postponed.map((each) => each ?? decided.next().value!.outcome!);
  return { outcomes, mark, counts, traced: getTraces() === null ? [] : plans.map((plan) => toTraced(plan, idOf)) };
}

const toTraced = (plan: Plan, idOf: ReadonlyMap<Draft, bigint>): TracedCall => ({
  call: plan.call,
  messages: draftsTaken(plan).flatMap((draft) => {
    const messageId = idOf.get(draft);
    return messageId === undefined ? [] : [{ messageId, smsType: draft.smsType }];
  }),
});

/** What a group needs of the database, read under the locks. */
interface GroupData extends DecisionData {
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

const postpone = (caller: Caller | undefined): Postponed | null => {
  if (caller === undefined) return 'locked';
  return caller.isLimited ? 'limited' : null;
};

const draftsTaken = (plan: Plan): CallDraft[] => plan.drafts.filter((draft): draft is CallDraft => !isRefusal(draft));

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
