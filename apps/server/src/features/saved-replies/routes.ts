/** Saved replies of a customer's team: its owners and members change them. */
import { savedReplyLimit } from '@pahatid/contract';
import { getCustomerId, type Scope, uuidV7 } from '@pahatid/db';
import {
  addSavedReply,
  changeSavedReply,
  deleteSavedReply,
  findSavedReply,
  listSavedReplies,
  lockSavedReplies,
  type SavedReplyRow,
} from '@pahatid/db/queries/saved-replies';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { onConflict } from '../../http/conflicts.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';

const conflicts = { saved_reply_name: 'NAME_TAKEN' } as const;

export function registerSavedReplies(app: FastifyInstance): void {
  serve(app, 'GET /saved-replies', async ({ scope, inScope }) => ({
    savedReplies: await inScope((tx) => listSavedReplies(tx, customerOf(scope))),
  }));

  serve(app, 'POST /saved-replies', async ({ body, scope, inScope, audit }) => {
    const customerId = customerOf(scope);
    const row = { savedReplyId: uuidV7(), ...body };
    await onConflict(conflicts, () =>
      inScope(async (tx) => {
        await lockSavedReplies(tx, customerId);
        if ((await listSavedReplies(tx, customerId)).length >= savedReplyLimit)
          throw new ProblemError('LIST_FULL', { limit: savedReplyLimit });
        await addSavedReply(tx, customerId, row);
        await audit(tx, { action: 'add', subjectType: 'savedReply', subjectId: row.savedReplyId, after: body });
      }),
    );
    return row;
  });

  serve(
    app,
    'PATCH /saved-replies/:savedReplyId',
    async ({ params: { savedReplyId }, body, scope, inScope, audit }) => {
      const customerId = customerOf(scope);
      return await onConflict(conflicts, () =>
        inScope(async (tx) => {
          const { name, content } = await getSavedReply(tx, customerId, savedReplyId);
          const row = { savedReplyId, name: body.name ?? name, content: body.content ?? content };
          await changeSavedReply(tx, customerId, row);
          const before = { name, content };
          const after = { name: row.name, content: row.content };
          await audit(tx, { action: 'edit', subjectType: 'savedReply', subjectId: savedReplyId, before, after });
          return row;
        }),
      );
    },
  );

  serve(app, 'DELETE /saved-replies/:savedReplyId', async ({ params: { savedReplyId }, scope, inScope, audit }) => {
    const customerId = customerOf(scope);
    await inScope(async (tx) => {
      const { name, content } = await getSavedReply(tx, customerId, savedReplyId);
      await deleteSavedReply(tx, customerId, savedReplyId);
      const before = { name, content };
      await audit(tx, { action: 'delete', subjectType: 'savedReply', subjectId: savedReplyId, before });
    });
    return undefined;
  });
}

function customerOf(scope: Scope): string {
  const customerId = getCustomerId(scope);
  if (customerId === null) throw new Error('staff reached a route of customers');
  return customerId;
}

async function getSavedReply(tx: PoolClient, customerId: string, savedReplyId: string): Promise<SavedReplyRow> {
  const row = await findSavedReply(tx, customerId, savedReplyId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}
