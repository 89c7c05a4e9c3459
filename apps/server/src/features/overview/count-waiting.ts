import { AuditStatus, mostWaiting, type Task, TaskStatus, type WaitingCounts } from '@pahatid/contract';
import { getCustomerId } from '@pahatid/db';
import { countPendingAccountRequests } from '@pahatid/db/queries/account-requests';
import { countApprovals } from '@pahatid/db/queries/approvals';
import { countUnreadConversations } from '@pahatid/db/queries/conversations';
import { countSubmittedDossiers } from '@pahatid/db/queries/dossiers';
import { countWaiting } from '@pahatid/db/queries/overview';
import { listReviews } from '@pahatid/db/queries/reviews';
import { listTasks, type TaskRow } from '@pahatid/db/queries/tasks';
import type { PoolClient } from 'pg';
import type { Call } from '../../http/call.ts';
import type { ApiDeps } from '../../http/deps.ts';

type PresentTask = (row: TaskRow, isStaff: boolean) => Task;

const shownRunning = 5;
/** Tasks that are read to find those: paused ones are among them. */
const readRunning = 20;

/** What waits for a user, counted for the menu, and what is sending now. */
export async function readWaitingCounts(
  { pools, now }: Pick<ApiDeps, 'pools' | 'now'>,
  { scope, user, inScope }: Pick<Call<'GET /overview/waiting'>, 'scope' | 'user' | 'inScope'>,
  presentTask: PresentTask,
): Promise<WaitingCounts> {
  const customerId = getCustomerId(scope);
  const ofStaff = { reviews: 0, approvals: 0, accountRequests: 0, dossiers: 0 };
  if (customerId === null) {
    const pending = await listReviews(pools.control, { auditStatus: [AuditStatus.Pending], limit: mostWaiting });
    ofStaff.reviews = pending.length;
    if (user.role !== 'reviewer')
      ofStaff.approvals = Math.min(mostWaiting, await countApprovals(pools.control, { state: 'pending', now: now() }));
    ofStaff.dossiers = await countSubmittedDossiers(pools.control, mostWaiting);
    if (user.role === 'admin') ofStaff.accountRequests = await countPendingAccountRequests(pools.control, mostWaiting);
  }
  return inScope(async (tx) => ({
    ...ofStaff,
    ...(customerId === null ? nothing : await countOfCustomer(tx, customerId)),
    running: await listRunning(tx, customerId, presentTask),
  }));
}

const nothing = { tasks: 0, templates: 0, senders: 0, conversations: 0 };

const countOfCustomer = async (tx: PoolClient, customerId: string): Promise<typeof nothing> => ({
  ...(await countWaiting(tx, customerId, mostWaiting)),
  conversations: await countUnreadConversations(tx, customerId, mostWaiting),
});

async function listRunning(
  tx: PoolClient,
  customerId: string | null,
  presentTask: PresentTask,
): Promise<WaitingCounts['running']> {
  const rows = await listTasks(tx, { customerId, taskStatus: [TaskStatus.Sending], limit: readRunning });
  return rows
    .filter(({ paused }) => paused === 0)
    .slice(0, shownRunning)
    .map((row) => presentTask(row, false));
}
