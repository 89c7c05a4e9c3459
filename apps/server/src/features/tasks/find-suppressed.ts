/** Recipients that get no marketing of a customer. Of other types all get it. */
import { SmsType } from '@pahatid/contract/enums';
import type { Db } from '@pahatid/db';
import { findWithoutConsent, requiresConsent } from '@pahatid/db/queries/consents';
import { findOptedOut } from '@pahatid/db/queries/files';

export interface Suppressed {
  readonly optedOut: ReadonlySet<string>;
  /** Whose consent is not in force, where the customer requires it. */
  readonly noConsent: ReadonlySet<string>;
}

const none: Suppressed = { optedOut: new Set(), noConsent: new Set() };

export async function findSuppressed(
  db: Db,
  of: { readonly customerId: string; readonly smsType: number | null },
  msisdns: readonly string[],
): Promise<Suppressed> {
  if (of.smsType !== SmsType.Marketing || msisdns.length === 0) return none;
  const { customerId } = of;
  const optedOut = await findOptedOut(db, customerId, msisdns);
  const isRequired = await requiresConsent(db, customerId);
  return { optedOut, noConsent: isRequired ? await findWithoutConsent(db, customerId, msisdns) : none.noConsent };
}
