/** What accepting a message would come to now, by the same decisions, and nothing is written. */
import { BY_KEY, together, withTransaction } from '@pahatid/db';
import { findCaller } from '@pahatid/db/queries/api-messages';
import { listFunds } from '@pahatid/db/queries/customer-admin';
import { loadLimits } from '@pahatid/db/queries/thresholds';
import type { Pool, PoolClient } from 'pg';
import type { AcceptDeps, Draft } from './accept.ts';
import { decide, draftsOf, isRefusal, planCall } from './decide-calls.ts';
import type { CallMessage, Refusal, SendCall } from './send-call.ts';

export interface Preview {
  /** Null: without a route or a price. */
  readonly draft: Draft | null;
  /** Null: it would be accepted. */
  readonly refusal: Refusal | null;
}

type Sender = Pick<SendCall, 'appId' | 'customerId'>;

/** No row is locked: calls that are accepted meanwhile may use what it found free. */
export const previewCall = (
  control: Pool,
  deps: Pick<AcceptDeps, 'routing'>,
  sender: Sender,
  message: CallMessage,
): Promise<Preview> =>
  withTransaction(
    control,
    (tx) => readPreview(tx, deps, { ...sender, messages: [message], key: null, answer: () => null }),
    { ...BY_KEY, readOnly: true },
  );

async function readPreview(tx: PoolClient, deps: Pick<AcceptDeps, 'routing'>, call: SendCall): Promise<Preview> {
  const [caller, limits, funds] = await together(tx, [
    () => findCaller(tx, call.appId),
    () => loadLimits(tx, [call.customerId]),
    () => listFunds(tx, [call.customerId]),
  ]);
  const callers = new Map(caller === null ? [] : [[call.appId, caller]]);
  const plan = planCall(deps, call, new Map(), callers);
  const draft = draftsOf(plan)[0] ?? null;
  await decide(tx, [plan], callers, { limits, funds });
  if (plan.outcome?.kind === 'refusedCall') return { draft, refusal: plan.outcome.refusal };
  return { draft, refusal: plan.drafts.find(isRefusal) ?? null };
}
