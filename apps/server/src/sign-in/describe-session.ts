import type { Session } from '@pahatid/contract';
import { findCustomer, getFunds, inScope, type SessionUser } from '@pahatid/db';
import { getPreferences } from '@pahatid/db/queries/account';
import { maySeeFunds, type SignedInUser } from '../http/call.ts';
import type { ApiDeps } from '../http/deps.ts';

/** Returns the signed-in user, and a customer's money. */
export async function describeSession(
  pools: ApiDeps['pools'],
  user: SessionUser & Partial<Pick<SignedInUser, 'supportUntil' | 'staffRole' | 'mustEnrol' | 'visitUntil'>>,
): Promise<Session> {
  const { customerId } = user;
  const who: Session['user'] = {
    userId: user.userId,
    account: user.account,
    name: user.name,
    email: user.email,
    role: user.role,
    kind: customerId === null ? 'staff' : 'customer',
    zone: user.zone,
    ...(await getPreferences(pools.control, user.userId)),
  };
  const mustEnrol = user.mustEnrol ? { mustEnrol: true as const } : {};
  if (customerId === null) return { user: who, customer: null, ...mustEnrol };
  const { customer, funds } = await inScope(pools.control, { customerId }, async (tx) => ({
    customer: await findCustomer(tx, customerId),
    funds: await getFunds(tx, customerId),
  }));
  const support = user.supportUntil && { support: { until: user.supportUntil.toISOString() } };
  const visit = user.visitUntil && { visit: { until: user.visitUntil.toISOString() } };
  return {
    user: who,
    ...support,
    ...visit,
    customer: {
      customerId,
      customerName: customer?.customerName ?? '',
      ...(maySeeFunds(user) ? funds : { balance: null, reserved: null }),
    },
    ...mustEnrol,
  };
}
