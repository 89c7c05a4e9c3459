/** Stores the outcome of a round, and notifies the owners if it disabled an endpoint. */
import type { Db } from '@pahatid/db';
import {
  disableEndpoint,
  enableEndpoint,
  type LeasedEndpoint,
  markAnswering,
  markFailing,
  saveTries,
} from '@pahatid/db/queries/callback-dispatch';
import { type NotifyDeps, notify } from '../notices/notify.ts';
import { judgeRound, type Sent, type Verdict } from './judge-round.ts';

/** Within a transaction. */
export async function saveRound(
  tx: Db,
  endpoint: LeasedEndpoint,
  sent: readonly Sent[],
  offsetMs: number,
  deps: NotifyDeps,
): Promise<Verdict> {
  const { tries, verdict } = judgeRound(endpoint, sent);
  await saveTries(tx, endpoint, tries, offsetMs);
  switch (verdict.kind) {
    case 'answers':
      await markAnswering(tx, endpoint);
      break;
    case 'enabled':
      await enableEndpoint(tx, endpoint, offsetMs);
      break;
    case 'waits':
      if (!verdict.counts) await markAnswering(tx, endpoint);
      await markFailing(tx, endpoint, verdict, offsetMs);
      break;
    case 'disabled':
      await disable(tx, endpoint, verdict.reason, offsetMs, deps);
      break;
    case 'unchanged':
  }
  return verdict;
}

async function disable(
  tx: Db,
  endpoint: LeasedEndpoint,
  reason: 'failing' | 'gone',
  offsetMs: number,
  deps: NotifyDeps,
): Promise<void> {
  const waiting = await disableEndpoint(tx, endpoint, reason, offsetMs);
  // The URL was changed meanwhile.
  if (waiting === null) return;
  const { endpointId, customerId, url, appId, appName } = endpoint;
  const params = { endpointId, host: new URL(url).host, appId, appName, reason, waiting };
  await notify(tx, { kind: 'callbackDisabled', customerId, params }, deps);
}
