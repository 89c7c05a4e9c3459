/**
 * The proof that acts of `stepUpRoutes` need: the session's last sign-in, password or second factor, at most ten minutes
 * ago. What was done is mailed to all owners of the customer, or to all admins.
 */
import { isStepUpRoute, proofMinutes, type RouteKey, stepUpRoutes } from '@pahatid/contract';
import { listGuardians } from '@pahatid/db/queries/members';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { describeAct } from '../account-mail/acts.ts';
import { sendMail } from '../mail/send-mail.ts';
import type { Call } from './call.ts';
import { languageFor } from './language.ts';
import { ProblemError } from './problem.ts';

export interface Proof {
  /** Throws STEP_UP_REQUIRED where the last proof is too old, and the body bears none. */
  need(): void;
  /** Of what the act was, by the audit log. */
  subject: string | null;
  /** After the act; nothing where it needed no proof. */
  mail(call: Call<RouteKey>): Promise<void>;
}

export function makeProof(app: FastifyInstance, key: RouteKey, { user, log }: FastifyRequest): Proof {
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
        // The act is done and on record; its answer must not say that it failed.
        log.error({ err, key }, 'mail about a sensitive act was not written');
      }
    },
  };
}
