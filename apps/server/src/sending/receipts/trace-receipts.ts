import { getTraces } from '../../traces/message-traces.ts';
import type { ReceiptEvent } from '../settle/settle.ts';

/** After the commit of the transaction that stored them; `sinceMs`: when it began. */
export function traceReceipts(events: readonly ReceiptEvent[], sinceMs: number): void {
  if (events.length === 0) return;
  getTraces()?.received(
    events.map(({ messageId, receipt: { clientStatus, carrierCode } }) => ({ messageId, clientStatus, carrierCode })),
    sinceMs,
  );
}
