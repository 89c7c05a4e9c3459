/** The results of a task's recipients, by carrier and by reason. */
import { ClientStatus, SendStatus, type TaskBreakdown } from '@pahatid/contract';
import type { OutcomeRow } from '@pahatid/db/queries/task-figures';
import { DealResult, getDealResult, neverRetried } from '@pahatid/domain';

type Carrier = TaskBreakdown['carriers'][number];
type Reason = TaskBreakdown['reasons'][number];

/** Nothing went wrong with these, or it is not known yet. */
const noReason: readonly string[] = [
  DealResult.Delivered,
  DealResult.Accepted,
  DealResult.Waiting,
  DealResult.HandedOver,
];
const undelivered: readonly number[] = [ClientStatus.Undelivered, ClientStatus.Expired, ClientStatus.Rejected];

export function presentBreakdown(rows: readonly OutcomeRow[]): TaskBreakdown {
  const carriers = new Map<string | null, Carrier>();
  const reasons = new Map<string, Reason>();
  for (const row of rows) {
    addToCarrier(carriers, row);
    const code = getDealResult({
      sendStatus: row.sendStatus as SendStatus,
      clientStatus: row.clientStatus as ClientStatus,
      dealResult: row.dealResult,
      unconfirmed: row.unconfirmed,
    });
    if (noReason.includes(code)) continue;
    const isRequest = row.sendStatus !== SendStatus.Successful;
    const key = `${code} ${isRequest}`;
    const reason = reasons.get(key) ?? {
      dealResult: code,
      count: 0,
      isRequest,
      mayRetry: row.sendStatus === SendStatus.Failed && !neverRetried.includes(code),
    };
    reason.count += row.count;
    reasons.set(key, reason);
  }
  return {
    carriers: [...carriers.values()].sort((a, b) => b.recipients - a.recipients),
    reasons: [...reasons.values()].sort((a, b) => b.count - a.count),
  };
}

function addToCarrier(carriers: Map<string | null, Carrier>, row: OutcomeRow): void {
  const sums = carriers.get(row.carrier) ?? {
    carrier: row.carrier,
    recipients: 0,
    waitingCount: 0,
    acceptedCount: 0,
    failedCount: 0,
    deliveredCount: 0,
    undeliveredCount: 0,
    unknownCount: 0,
  };
  sums.recipients += row.count;
  if (row.sendStatus === SendStatus.Successful) {
    sums.acceptedCount += row.count;
    if (row.clientStatus === ClientStatus.Delivered) sums.deliveredCount += row.count;
    else if (undelivered.includes(row.clientStatus)) sums.undeliveredCount += row.count;
    else if (row.clientStatus === ClientStatus.Unknown) sums.unknownCount += row.count;
  } else if (row.sendStatus === SendStatus.Failed) sums.failedCount += row.count;
  else sums.waitingCount += row.count;
  carriers.set(row.carrier, sums);
}
