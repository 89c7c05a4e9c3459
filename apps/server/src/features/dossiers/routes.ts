/** Dossiers of sender IDs: written by the customer, sent to the carrier and answered for it by staff. */
import { findSender, getCustomerId, uuidV7 } from '@pahatid/db';
import { findCompanyDetails, findDossierPaper, setCompanyDetails } from '@pahatid/db/queries/dossier-papers';
import { findDossier, listDossiers, listSenderDossiers, openDossier } from '@pahatid/db/queries/dossiers';
import type { FastifyInstance } from 'fastify';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { mustLock, writeHistory } from './change-dossier.ts';
import { registerDossierContents } from './contents.ts';
import { registerDossierDecisions } from './decisions.ts';
import { isPrintable } from './pdf-text.ts';
import { dossierColumns, presentDossier, presentQueued } from './present-dossier.ts';

const SORT = 'dossiers';

export function registerDossiers(app: FastifyInstance, deps: ApiDeps): void {
  registerDossierContents(app, deps);
  registerDossierDecisions(app, deps);

  serve(app, 'GET /senders/:id/dossiers', ({ params: { id }, scope, inScope }) =>
    inScope(async (tx) => {
      const customerId = getCustomerId(scope);
      if ((await findSender(tx, customerId, id)) === null) throw new ProblemError('NOT_FOUND');
      const dossiers = [];
      for (const row of await listSenderDossiers(tx, id)) dossiers.push(await presentDossier(tx, row, scope));
      return { dossiers };
    }),
  );

  serve(app, 'POST /senders/:id/dossiers', ({ params: { id }, body: { carrier }, user, scope, inScope, audit }) =>
    inScope(async (tx) => {
      const customerId = getCustomerId(scope);
      if (customerId === null || (await findSender(tx, customerId, id)) === null) throw new ProblemError('NOT_FOUND');
      const [dossierId, now] = [uuidV7(), deps.now()];
      if (!(await openDossier(tx, { dossierId, customerId, senderKey: id, carrier, now })))
        throw new ProblemError('CONFLICT');
      await writeHistory(tx, dossierId, { userId: user.userId, now }, 'opened');
      await audit(tx, { action: 'add', subjectType: 'sender', subjectId: id, after: { carrier, state: 'draft' } });
      return presentDossier(tx, await mustLock(tx, customerId, dossierId), scope);
    }),
  );

  serveList(app, 'GET /dossier-queue', async ({ query, inScope }) => {
    const { name, isReversed } = readOrder(SORT, query.sort, 'changeTime');
    const { customerId, state, carrier, search } = query;
    const filter = { customerId: customerId ?? null, state, carrier, search };
    return {
      fileName: 'dossiers',
      columns: dossierColumns,
      readPage: (cursor, limit) =>
        inScope(async (tx) => {
          const page = {
            after: decodeCursor(cursor, name, ['time', 'uuid']),
            isDescending: isReversed,
            limit: limit + 1,
          };
          const { rows, nextCursor } = toPage(await listDossiers(tx, { ...filter, ...page }), limit, name, (row) => [
            row.changeKey,
            row.dossierId,
          ]);
          return { items: rows.map(presentQueued), nextCursor };
        }),
    };
  });

  serve(app, 'GET /dossiers/:dossierId', ({ params, scope, inScope }) =>
    inScope(async (tx) => {
      const row = await findDossier(tx, getCustomerId(scope), params.dossierId);
      if (row === null) throw new ProblemError('NOT_FOUND');
      return presentDossier(tx, row, scope);
    }),
  );

  serve(app, 'GET /dossiers/:dossierId/papers/:paperId', async ({ params, scope, inScope }) => {
    const paper = await inScope((tx) => findDossierPaper(tx, { ...params, customerId: getCustomerId(scope) }));
    if (paper === null) throw new ProblemError('NOT_FOUND');
    return paper;
  });

  serve(app, 'GET /company-details', async ({ scope, inScope }) => ({
    details: await inScope((tx) => findCompanyDetails(tx, getCustomerId(scope) ?? '')),
  }));

  serve(app, 'PUT /company-details', ({ body, scope, inScope, audit }) => {
    for (const [field, value] of Object.entries(body)) if (!isPrintable(value)) throw fieldProblem(field, 'CHARACTERS');
    return inScope(async (tx) => {
      const customerId = getCustomerId(scope) ?? '';
      const before = await findCompanyDetails(tx, customerId);
      await setCompanyDetails(tx, customerId, body);
      await audit(tx, { action: 'update', subjectType: 'customer', subjectId: customerId, before, after: body });
      return { details: body };
    });
  });
}
