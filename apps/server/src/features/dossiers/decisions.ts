/** What staff do with a submitted dossier: send it to the carrier, and enter the carrier's answer. */
import { AuditStatus } from '@pahatid/contract';
import { setSenderCarrier } from '@pahatid/db';
import { checkDossierPapers } from '@pahatid/db/queries/dossier-papers';
import type { DossierRow } from '@pahatid/db/queries/dossiers';
import { decideSenderDomains } from '@pahatid/db/queries/sender-domains';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { notifyDossierDecided } from '../../notices/notify-dossier.ts';
import { mustLock, takeStep } from './change-dossier.ts';
import { presentDossier } from './present-dossier.ts';

export function registerDossierDecisions(app: FastifyInstance, deps: ApiDeps): void {
  const at = 'POST /customers/:customerId/dossiers/:dossierId' as const;

  serve(app, `${at}/send`, ({ params: { customerId, dossierId }, user, scope, inScope, audit }) =>
    inScope(async (tx) => {
      const row = await mustLock(tx, customerId, dossierId);
      const author = { userId: user.userId, now: deps.now() };
      await takeStep(tx, dossierId, 'send', author, { sentAt: author.now });
      await checkDossierPapers(tx, dossierId, null, author.now);
      await audit(tx, toAudit(row, { state: 'sent' }));
      return presentDossier(tx, await mustLock(tx, customerId, dossierId), scope);
    }),
  );

  serve(app, `${at}/approve`, ({ params: { customerId, dossierId }, body, user, scope, inScope, audit }) => {
    const { approvedUntil, allowedDomains } = body;
    if (approvedUntil < manilaDay(deps.now())) throw fieldProblem('approvedUntil', 'NOT_IN_FUTURE');
    return inScope(async (tx) => {
      const row = await mustLock(tx, customerId, dossierId);
      const author = { userId: user.userId, now: deps.now() };
      await takeStep(tx, dossierId, 'approve', author, { approvedUntil });
      await decideSenderDomains(tx, dossierId, allowedDomains, author.now);
      await setSenderCarrier(tx, row.senderKey, row.carrier, AuditStatus.Approved);
      await audit(tx, toAudit(row, { state: 'approved', approvedUntil, allowedDomains }));
      await notifyDossierDecided(
        tx,
        { ...row, isApproved: true, approvedUntil, answer: null },
        author.now,
        deps.config,
      );
      return presentDossier(tx, await mustLock(tx, customerId, dossierId), scope);
    });
  });

  serve(app, `${at}/return`, ({ params: { customerId, dossierId }, body, user, scope, inScope, audit }) => {
    const { answer, answeredBy, answerBy, returnedPapers } = body;
    if (answerBy !== null && answerBy < manilaDay(deps.now())) throw fieldProblem('answerBy', 'NOT_IN_FUTURE');
    return inScope(async (tx) => {
      const row = await mustLock(tx, customerId, dossierId);
      const author = { userId: user.userId, now: deps.now() };
      await takeStep(tx, dossierId, 'return', author, { answer: { text: answer, by: answeredBy, answerBy } });
      await checkDossierPapers(tx, dossierId, returnedPapers, author.now);
      await audit(tx, toAudit(row, { state: 'returned', answer, answeredBy, answerBy }));
      const decided = { ...row, isApproved: false, approvedUntil: null, answer };
      await notifyDossierDecided(tx, decided, author.now, deps.config);
      return presentDossier(tx, await mustLock(tx, customerId, dossierId), scope);
    });
  });
}

const toAudit = ({ customerId, senderKey, carrier, state }: DossierRow, after: object) => ({
  ...{ customerId, action: 'setCarrier', subjectType: 'sender', subjectId: senderKey },
  ...{ before: { state }, after: { carrier, ...after } },
});

/** Days of approvals are Manila's, for every reader. */
export const manilaDay = (now: Date): string => new Date(now.getTime() + 8 * 3_600_000).toISOString().slice(0, 10);
