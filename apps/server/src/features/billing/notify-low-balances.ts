/** Notifies customers whose available money has fallen below their threshold, once until it has been above it again. */
import { withTransaction } from '@pahatid/db';
import { writeCustomerEvent } from '@pahatid/db/queries/callback-changes';
import { getAvailable } from '@pahatid/db/queries/reservations';
import { listBalanceLines, markLowBalance } from '@pahatid/db/queries/threshold-watching';
import { type NotifyDeps, notify } from '../../notices/notify.ts';
import type { JobContext } from '../../sending/job-context.ts';

export async function notifyLowBalances({ pool }: JobContext, deps: NotifyDeps): Promise<void> {
  for (const { customerId, line, wasLow } of await listBalanceLines(pool)) {
    const available = await getAvailable(pool, customerId);
    const isLow = available < line;
    if (isLow === wasLow) continue;
    await withTransaction(pool, async (tx) => {
      if (!(await markLowBalance(tx, customerId, isLow))) return;
      const about = { customerId, appId: null, type: 'balance.status', subjectId: customerId } as const;
      await writeCustomerEvent(tx, about, { isLow, available, line });
      if (!isLow) return;
      await notify(tx, { kind: 'balanceLow', customerId, params: { available, line } }, deps);
    });
  }
}
