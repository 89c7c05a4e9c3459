/**
 * The proof required by actions of `stepUpRoutes`: the session's last sign-in, password or second factor, at most ten
 * minutes ago. The action is mailed to all owners of the customer, or to all admins.
 */

import { isStepUpRoute, proofMinutes, type RouteKey, stepUpRoutes } from '@pahatid/contract';
import { listGuardians } from '@pahatid/db/queries/members';
import { languageFor } from '@pahatid/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { describeAct } from '../mail/account/sensitive-acts.ts';
import { sendMail } from '../mail/send-mail.ts';
import type { Call } from './call.ts';
import { ProblemError } from './problem.ts';

export interface Proof {
  /** Throws STEP_UP_REQUIRED if the last proof is too old and the body contains none. */
  need(): void;
  /** Subject of the action, from the audit log. */
  subject: string | null;
  /** Runs after the action; does nothing if it needed no proof. */
  mail(call: Call<RouteKey>): Promise<void>;
}

export function makeProof(app: FastifyInstance, key: RouteKey, { user, log, id }: FastifyRequest): Proof {
  const { deps } = app.api;
  let isNeeded = false;
  return {
    subject: null,
    need() {
      if (!isStepUpRoute(key) || user === null) throw new Error(`${key} is not among the routes that need a proof`);
      isNeeded = true;
      if (stepUpRoutes[key] === 'byBody') return;
      if (deps.now().getTime() - user.provedAt.getTime() > proofMinutes * 60_000)
        throw new ProblemError('STEP_UP_REQUIRED');
    },
    async mail(call) {
      if (!isNeeded || !isStepUpRoute(key) || user === null) return;
      const { account, customerId } = user;
      const act = { key, account, subject: this.subject ?? '', ip: call.ip };
      try {
        await call.withTransaction(async (tx) => {
          for (const { email, locale } of await listGuardians(tx, customerId))
            await sendMail(tx, { to: email, ...describeAct(act, languageFor(locale, call.lang)) });
        });
      } catch (err) {
        // The action is committed and audited; the response must not report a failure.
        log.error({ err, key, requestId: id }, 'mail about a sensitive action not queued');
      }
    },
  };
}
