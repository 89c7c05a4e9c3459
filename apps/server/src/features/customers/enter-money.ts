/**
 * Top-ups and corrections: an entry of the ledger and the balance in one transaction. Two admins at once each add their
 * own; one who clicks twice, or asks again after a lost answer, is known by the Idempotency-Key.
 */
import { createHash } from 'node:crypto';
import { getFunds } from '@pahatid/db';
import { keepAnswer, takeKey } from '@pahatid/db/queries/idempotency';
import { enterMoney } from '@pahatid/db/queries/ledger';
import { lockCustomerFunds } from '@pahatid/db/queries/reservations';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../../http/deps.ts';
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
    // Who takes money off an account says why.
    if (kind === 'adjustment' && note === '') throw fieldProblem('note', 'REQUIRED');
    const key = readKey(request);
    const requestHash = createHash('sha256').update(JSON.stringify(body)).digest();
    return inScope(async (tx) => {
      await mustFindCustomer(tx, customerId);
      if (key !== null) {
        const kept = await takeKey(tx, { customerId, key, requestHash });
        if (kept !== null && !kept.requestHash.equals(requestHash)) throw new ProblemError('IDEMPOTENCY_KEY_REUSED');
        if (kept !== null) return kept.response as { entryId: string; balance: number };
      }
      // One at a time, so that before and after in the audit log follow each other.
      await lockCustomerFunds(tx, customerId);
      const before = await getFunds(tx, customerId);
      const entryId = await enterMoney(tx, {
        customerId,
        kind,
        amount,
        note: note === '' ? null : note,
        userId: user.userId,
        at: deps.now(),
      });
      const { balance } = await getFunds(tx, customerId);
      await audit(tx, {
        customerId,
        action: kind,
        subjectType,
        subjectId: entryId,
        before: { balance: before.balance },
        after: { balance, amount, note },
      });
      const answer = { entryId, balance };
      if (key !== null) await keepAnswer(tx, { customerId, key }, { status: 201, response: answer });
      return answer;
    });
  });
}
