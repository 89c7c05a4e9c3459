import type { ReviewPolicy } from '@pahatid/contract';
import { uuidV7 } from '@pahatid/db';
import { insertCustomer } from '@pahatid/db/queries/customer-admin';
import { insertDefaultRules } from '@pahatid/db/queries/threshold-rules';
import type { Language } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { onConflict } from '../../http/conflicts.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { serve } from '../../http/serve.ts';
import { mustFindCustomer } from './find-customer.ts';
import { inviteOwner } from './invite-owner.ts';
import { presentCustomer, presentSettings } from './present-customer.ts';

const subjectType = 'customer';

interface NewCustomer {
  readonly customerName: string;
  readonly reviewPolicy: ReviewPolicy;
  readonly ownerEmail: string;
  readonly invite: 'email' | 'link';
  readonly invitedBy: string;
  /** Of the mail to the owner. */
  readonly lang: Language;
}

/** Adds a customer and invites its first owner. `after` is for the audit entry, which the caller writes. */
export async function addCustomer(tx: PoolClient, deps: ApiDeps, given: NewCustomer) {
  const customerId = uuidV7();
  const { customerName, reviewPolicy, ...owner } = given;
  await insertCustomer(tx, { customerId, customerName, reviewPolicy });
  await insertDefaultRules(tx, customerId);
  const link = await inviteOwner(tx, deps, { ...owner, customerId, customerName });
  const row = await mustFindCustomer(tx, customerId);
  return { row, link, after: { ...presentSettings(row), owner: owner.ownerEmail, invite: owner.invite } };
}

export function registerAdding(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'POST /customers', ({ body, user, lang, inScope, audit }) => {
    return onConflict({ customer_customer_name_key: 'CUSTOMER_NAME_TAKEN' }, () =>
      inScope(async (tx) => {
        const { row, link, after } = await addCustomer(tx, deps, { ...body, invitedBy: user.userId, lang });
        const { customerId } = row;
        await audit(tx, { customerId, action: 'add', subjectType, subjectId: customerId, after });
        return { ...(await presentCustomer(tx, deps, row)), ...link };
      }),
    );
  });

  serve(app, 'POST /customers/:customerId/owners', ({ params, body, user, lang, inScope, audit }) =>
    inScope(async (tx) => {
      const { customerId } = params;
      const { customerName } = await mustFindCustomer(tx, customerId);
      const link = await inviteOwner(tx, deps, { ...body, customerId, customerName, invitedBy: user.userId, lang });
      const after = { owner: body.ownerEmail, invite: body.invite };
      await audit(tx, { customerId, action: 'inviteOwner', subjectType, subjectId: customerId, after });
      return link;
    }),
  );
}
