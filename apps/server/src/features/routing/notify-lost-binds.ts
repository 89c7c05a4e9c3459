/** Notifies staff of accounts that lack binds for a minute or more: once per loss. */
import { withTransaction } from '@pahatid/db';
import { readDbMs } from '@pahatid/db/queries/task-running';
import { listBinds } from '@pahatid/db/queries/traffic';
import { type NotifyDeps, notify } from '../../notices/notify.ts';
import type { JobContext } from '../../sending/job-context.ts';

/** Shorter ones recover automatically. */
const patienceMs = 60_000;

export async function notifyLostBinds({ pool, offsetMs }: JobContext, deps: NotifyDeps): Promise<void> {
  const nowMs = await readDbMs(pool, offsetMs);
  for (const { supplierId, supplierAccount, bound, wanted, downSince } of await listBinds(pool)) {
    if (bound >= wanted || downSince === null || nowMs - downSince.getTime() < patienceMs) continue;
    // To the second: several processes lose theirs at about the same time.
    const onceKey = `bind:${supplierId}:${Math.floor(downSince.getTime() / 1000)}`;
    await withTransaction(pool, (tx) =>
      notify(tx, { kind: 'bindDown', customerId: null, params: { supplierAccount, bound, wanted }, onceKey }, deps),
    );
  }
}
