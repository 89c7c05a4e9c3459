import type { Account } from '@pahatid/contract';
import { getAccount } from '@pahatid/db/queries/account';
import { findSecondFactors } from '@pahatid/db/queries/second-factors';
import { maskMsisdn } from '@pahatid/domain';
import type { ApiDeps } from '../../http/deps.ts';
import { mustHaveFactor } from '../../second-factors/enrolment.ts';

/** A person's own account, to that person. */
export async function presentAccount(deps: ApiDeps, userId: string): Promise<Account> {
  const { control } = deps.pools;
  const row = await getAccount(control, userId);
  const factors = await findSecondFactors(control, userId);
  const isStaff = row.requireTwoFactor === null;
  return {
    userId: row.userId,
    account: row.account,
    name: row.name,
    email: row.email,
    phone: row.msisdn === null ? null : maskMsisdn(row.msisdn),
    zone: row.zone,
    locale: row.locale,
    theme: row.theme,
    twoFactor: {
      totpTime: factors.totpSince?.toISOString() ?? null,
      recoveryCodesLeft: factors.recoveryCodesLeft,
      passkeyCount: factors.passkeyCount,
      required: await mustHaveFactor(control, deps, userId, isStaff),
    },
    customer: row.requireTwoFactor === null ? null : { requireTwoFactor: row.requireTwoFactor },
  };
}
