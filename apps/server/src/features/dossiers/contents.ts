/** What a customer puts into a dossier: papers and domains, and that it is to be sent. */
import { mostDomains, mostPapers, paperLimitBytes } from '@pahatid/contract';
import { getCustomerId, uuidV7 } from '@pahatid/db';
import {
  addDossierPaper,
  askAgainForDomains,
  findCompanyDetails,
  listDossierDomains,
  removeDossierPaper,
} from '@pahatid/db/queries/dossier-papers';
import { type DossierRow, findDossier } from '@pahatid/db/queries/dossiers';
import { addSenderDomain, removeSenderDomain } from '@pahatid/db/queries/sender-domains';
import { readDomainName } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { readAttachment } from '../../http/read-attachment.ts';
import { serve } from '../../http/serve.ts';
import { mustLock, mustLockOpen, takeStep, writeHistory } from './change-dossier.ts';
import { makeLetterOfAuthorisation } from './letter.ts';
import { presentDossier } from './present-dossier.ts';

const about = ({ senderKey }: DossierRow) => ({ subjectType: 'sender', subjectId: senderKey });

export function registerDossierContents(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'POST /dossiers/:dossierId/papers', ({ params: { dossierId }, body, user, scope, inScope, audit }) => {
    const file = readAttachment(body, 'content', paperLimitBytes);
    return inScope(async (tx) => {
      const customerId = getCustomerId(scope);
      const row = await mustLockOpen(tx, customerId, dossierId);
      if (row.paperCount >= mostPapers) throw new ProblemError('LIST_FULL', { limit: mostPapers });
      const author = { userId: user.userId, now: deps.now() };
      await addDossierPaper(tx, { ...file, ...author, kind: body.kind, dossierId, paperId: uuidV7() });
      await writeHistory(tx, dossierId, author, 'paperAdded', body.name);
      await audit(tx, {
        ...about(row),
        action: 'upload',
        after: { carrier: row.carrier, name: body.name, kind: body.kind },
      });
      return presentDossier(tx, await mustLock(tx, customerId, dossierId), scope);
    });
  });

  serve(app, 'DELETE /dossiers/:dossierId/papers/:paperId', ({ params, user, scope, inScope, audit }) =>
    inScope(async (tx) => {
      const { dossierId, paperId } = params;
      const customerId = getCustomerId(scope);
      const row = await mustLockOpen(tx, customerId, dossierId);
      const name = await removeDossierPaper(tx, dossierId, paperId);
      if (name === null) throw new ProblemError('NOT_FOUND');
      await writeHistory(tx, dossierId, { userId: user.userId, now: deps.now() }, 'paperRemoved', name);
      await audit(tx, { ...about(row), action: 'remove', before: { carrier: row.carrier, name } });
      return presentDossier(tx, await mustLock(tx, customerId, dossierId), scope);
    }),
  );

  serve(app, 'POST /dossiers/:dossierId/domains', ({ params: { dossierId }, body, user, scope, inScope, audit }) => {
    const domain = readDomainName(body.domain);
    if (domain === null) throw fieldProblem('domain', 'FORMAT');
    return inScope(async (tx) => {
      const customerId = getCustomerId(scope);
      const row = await mustLockOpen(tx, customerId, dossierId);
      if (row.domainCount >= mostDomains) throw new ProblemError('LIST_FULL', { limit: mostDomains });
      const author = { userId: user.userId, now: deps.now() };
      // One that is there already stays as it is.
      if (await addSenderDomain(tx, dossierId, domain, author.now))
        await writeHistory(tx, dossierId, author, 'domainAdded', domain);
      await audit(tx, { ...about(row), action: 'add', after: { carrier: row.carrier, domain } });
      return presentDossier(tx, await mustLock(tx, customerId, dossierId), scope);
    });
  });

  serve(app, 'DELETE /dossiers/:dossierId/domains/:domain', ({ params, user, scope, inScope, audit }) =>
    inScope(async (tx) => {
      const { dossierId, domain } = params;
      const customerId = getCustomerId(scope);
      const row = await mustLockOpen(tx, customerId, dossierId);
      if (!(await removeSenderDomain(tx, dossierId, domain))) throw new ProblemError('NOT_FOUND');
      await writeHistory(tx, dossierId, { userId: user.userId, now: deps.now() }, 'domainRemoved', domain);
      await audit(tx, { ...about(row), action: 'remove', before: { carrier: row.carrier, domain } });
      return presentDossier(tx, await mustLock(tx, customerId, dossierId), scope);
    }),
  );

  serve(app, 'GET /dossiers/:dossierId/letter', async ({ params: { dossierId }, scope, inScope }) => {
    const { row, company, domains } = await inScope(async (tx) => {
      const found = await findDossier(tx, getCustomerId(scope), dossierId);
      if (found === null) throw new ProblemError('NOT_FOUND');
      const named = await listDossierDomains(tx, dossierId);
      return { row: found, company: await findCompanyDetails(tx, found.customerId), domains: named };
    });
    if (company === null) throw new ProblemError('CONFLICT');
    const { senderId, carrier } = row;
    const letter = { company, senderId, carrier, domains: domains.map(({ domain }) => domain), now: deps.now() };
    const content = makeLetterOfAuthorisation(letter);
    return {
      name: `letter-${senderId}-${carrier}.pdf`,
      type: 'application/pdf' as const,
      content: content.toString('base64'),
    };
  });

  serve(app, 'POST /dossiers/:dossierId/submit', ({ params: { dossierId }, user, scope, inScope, audit }) =>
    inScope(async (tx) => {
      const customerId = getCustomerId(scope);
      const row = await mustLockOpen(tx, customerId, dossierId);
      if (row.paperCount === 0) throw new ProblemError('DOSSIER_EMPTY');
      await askAgainForDomains(tx, dossierId);
      await takeStep(tx, dossierId, 'submit', { userId: user.userId, now: deps.now() });
      await audit(tx, {
        ...about(row),
        action: 'submit',
        before: { state: row.state },
        after: { carrier: row.carrier },
      });
      return presentDossier(tx, await mustLock(tx, customerId, dossierId), scope);
    }),
  );
}
