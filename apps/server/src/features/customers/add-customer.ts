/** A new customer, and the link by which its first owner comes in: sent by mail, or told once to who made it. */
import { createHash, randomBytes } from 'node:crypto';
import { uuidV7 } from '@pahatid/db';
import { insertCustomer, insertOwnerInvitation } from '@pahatid/db/queries/customer-admin';
import { isEmail } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import { onConflict } from '../../http/conflicts.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { mustFindCustomer } from './find-customer.ts';
import { presentCustomer, settingsOf } from './present-customer.ts';

const linkMs = 7 * 24 * 3_600_000;

export function registerAdding(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'POST /customers', ({ body, user, inScope, audit }) => {
    if (!isEmail(body.ownerEmail)) throw fieldProblem('ownerEmail', 'EMAIL');
    const { customerName, reviewPolicy, invite } = body;
    const email = body.ownerEmail.toLowerCase();
    const customerId = uuidV7();
    const token = randomBytes(32).toString('base64url');
    const now = deps.now();
    const expiresAt = new Date(now.getTime() + linkMs);
    return onConflict({ customer_customer_name_key: 'CUSTOMER_NAME_TAKEN' }, () =>
      inScope(async (tx) => {
        await insertCustomer(tx, { customerId, customerName, reviewPolicy });
        const tokenHash = createHash('sha256').update(token).digest();
        const isFree = await insertOwnerInvitation(tx, {
          customerId,
          email,
          tokenHash,
          invitedBy: user.userId,
          now,
          expiresAt,
        });
        if (!isFree) throw new ProblemError('EMAIL_TAKEN', undefined, [{ field: 'ownerEmail', code: 'EMAIL_TAKEN' }]);
        const row = await mustFindCustomer(tx, customerId);
        await audit(tx, {
          customerId,
          action: 'add',
          subjectType: 'customer',
          subjectId: customerId,
          after: { ...settingsOf(row), owner: email, invite },
        });
        return {
          ...(await presentCustomer(tx, deps, row)),
          ownerLink: invite === 'link' ? `${deps.config.publicUrl}/invitation?token=${token}` : null,
          ownerLinkExpireTime: expiresAt.toISOString(),
        };
      }),
    );
  });
}
