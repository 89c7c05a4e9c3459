/** After a restore of the database: staff see what is unsure, and an admin decides lane by lane. */
import type { Restore } from '@pahatid/contract';
import { countUnsure, decideLane, findOpenRestore } from '@pahatid/db/queries/restores';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';

export function registerRestores(app: FastifyInstance, { pools }: ApiDeps): void {
  const read = async (): Promise<{ restore: Restore | null }> => {
    const found = await findOpenRestore(pools.control);
    if (found === null) return { restore: null };
    const unsure = await countUnsure(pools.data, found.restoredAt);
    return {
      restore: {
        restoreId: found.restoreId,
        backupTime: found.backupAt.toISOString(),
        restoredTime: found.restoredAt.toISOString(),
        lanes: found.lanes.map(({ lane, unsureCount, doneAt, decision, ...rest }) => ({
          lane: lane as Restore['lanes'][number]['lane'],
          unsureCount,
          // Once a decision is being carried out, what is left of it is not what no receipt came for.
          settledCount: decision === null && doneAt === null ? unsureCount - (unsure.get(lane) ?? 0) : 0,
          doubtCount: rest.doubtCount,
          taskCount: rest.taskCount,
          decision,
          decidedBy: rest.decidedBy,
          decidedTime: rest.decidedAt?.toISOString() ?? null,
        })),
      },
    };
  };

  serve(app, 'GET /restore', read);

  serve(
    app,
    'POST /restores/:restoreId/lanes/:lane/decide',
    async ({ params: { restoreId, lane }, body: { decision }, user, withTransaction, audit }) => {
      const found = await findOpenRestore(pools.control);
      if (found?.restoreId !== restoreId) throw new ProblemError('NOT_FOUND');
      await withTransaction(async (tx) => {
        const isOurs = await decideLane(tx, { restoreId, lane, decision, userId: user.userId, at: new Date() });
        if (!isOurs) throw new ProblemError('CONFLICT');
        await audit(tx, { action: 'resume', subjectType: 'restore', subjectId: restoreId, after: { lane, decision } });
      });
      return await read();
    },
  );
}
