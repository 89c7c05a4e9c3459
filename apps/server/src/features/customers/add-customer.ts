import { uuidV7 } from '@pahatid/db';
import { insertCustomer } from '@pahatid/db/queries/customer-admin';
import { insertDefaultRules } from '@pahatid/db/queries/threshold-rules';
import type { FastifyInstance } from 'fastify';
import { onConflict } from '../../http/conflicts.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { serve } from '../../http/serve.ts';
import { mustFindCustomer } from './find-customer.ts';
import { inviteOwner } from './invite-owner.ts';
import { presentCustomer, presentSettings } from './present-customer.ts';

const subjectType = 'customer';

export function registerAdding(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'POST /customers', ({ body, user, lang, inScope, audit }) => {
    const { customerName, reviewPolicy, ownerEmail, invite } = body;
    const customerId = uuidV7();
    return onConflict({ customer_customer_name_key: 'CUSTOMER_NAME_TAKEN' }, () =>
      inScope(async (tx) => {
        await insertCustomer(tx, { customerId, customerName, reviewPolicy });
        await insertDefaultRules(tx, customerId);
        const owner = { customerId, customerName, ownerEmail, invite, invitedBy: user.userId, lang };
        const link = await inviteOwner(tx, deps, owner);
        const row = await mustFindCustomer(tx, customerId);
        const after = { ...presentSettings(row), owner: ownerEmail, invite };
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
