/**
 * Top-ups and corrections: an entry of the ledger and the balance in one transaction. Two concurrent admins each add
 * their own; a double click, or a retry after a lost response, is detected by the Idempotency-Key. Beyond the limit it
 * is a request that another admin approves.
 */
import { createHash } from 'node:crypto';
import type { PendingApproval } from '@pahatid/contract';
import { keepAnswer, takeKey } from '@pahatid/db/queries/idempotency';
import { lockCustomerFunds } from '@pahatid/db/queries/reservations';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { applyLedger, isLedgerBeyond } from '../../approvals/apply-ledger.ts';
import { requestApproval } from '../../approvals/request-approval.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { PendingAnswer } from '../../http/pending-answer.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { mustFindCustomer } from './find-customer.ts';

const subjectType = 'ledger';

function readKey({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,80}$/.test(key)) throw fieldProblem('Idempotency-Key', 'FORMAT');
  return `ledger:${key}`;
}

export function registerMoney(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'POST /customers/:customerId/ledger', ({ params, body, user, request, inScope, audit }) => {
    const { customerId } = params;
    const { kind, amount, note } = body;
    if (amount === 0 || (kind === 'topUp' && amount < 0)) throw fieldProblem('amount', 'TOO_SMALL', { minimum: 1 });
    // A deduction requires a reason.
    if (kind === 'adjustment' && note === '') throw fieldProblem('note', 'REQUIRED');
    const key = readKey(request);
    const requestHash = createHash('sha256').update(JSON.stringify(body)).digest();
    return inScope(async (tx) => {
      await mustFindCustomer(tx, customerId);
      if (key !== null) {
        const kept = await takeKey(tx, { customerId, key, requestHash });
        if (kept !== null && !kept.requestHash.equals(requestHash)) throw new ProblemError('IDEMPOTENCY_KEY_REUSED');
        if (kept?.status === 202) return new PendingAnswer(kept.response as PendingApproval);
        if (kept !== null) return kept.response as { entryId: string; balance: number };
      }
      const entry = { customerId, userId: user.userId, now: deps.now(), request: { kind, amount, note } };
      // Before the sum of the entries is read, so that two concurrent ones are added up.
      await lockCustomerFunds(tx, customerId);
      if (await isLedgerBeyond(tx, entry)) {
        const asked = { kind: 'ledger', customerId, request: entry.request } as const;
        const pending = await requestApproval(tx, { user, audit }, deps, asked);
        if (key !== null) await keepAnswer(tx, { customerId, key }, { status: 202, response: pending });
        return pending;
      }
      const { entryId, before, balance } = await applyLedger(tx, entry);
      await audit(tx, {
        customerId,
        action: kind,
        subjectType,
        subjectId: entryId,
        before: { balance: before },
        after: { balance, amount, note },
      });
      const answer = { entryId, balance };
      if (key !== null) await keepAnswer(tx, { customerId, key }, { status: 201, response: answer });
      return answer;
    });
  });
}
