/** What holds for every factor when it is added or removed. */
import type { Db } from '@pahatid/db';
import {
  endEnrolment,
  findSecondFactors,
  isTwoFactorRequired,
  replaceRecoveryCodes,
} from '@pahatid/db/queries/second-factors';
import type { SignedInUser } from '../http/call.ts';
import type { ApiDeps } from '../http/deps.ts';
import { ProblemError } from '../http/problem.ts';
import { makeRecoveryCodes, normalizeRecoveryCode } from './recovery-codes.ts';

/** Whether this user must keep at least one factor. Staff must, except in the demo, whose passwords are public. */
export const mustHaveFactor = (db: Db, deps: ApiDeps, userId: string, isStaff: boolean): Promise<boolean> =>
  isStaff ? Promise.resolve(!deps.config.demo) : isTwoFactorRequired(db, userId);

/** New codes in place of all there were; this is the one time that they are known. */
export async function renewRecoveryCodes(tx: Db, { secrets }: ApiDeps, userId: string): Promise<string[]> {
  const codes = makeRecoveryCodes();
  const hashes = codes.map((code) => secrets.hashRecoveryCode(userId, normalizeRecoveryCode(code)));
  await replaceRecoveryCodes(tx, userId, hashes);
  return codes;
}

/** After a factor was added: the sessions that waited for it are open. Codes for the first factor, null afterwards. */
export async function afterAdding(tx: Db, deps: ApiDeps, userId: string): Promise<string[] | null> {
  await endEnrolment(tx, userId);
  const { recoveryCodesLeft } = await findSecondFactors(tx, userId);
  return recoveryCodesLeft > 0 ? null : renewRecoveryCodes(tx, deps, userId);
}

/** Runs after a factor was removed. Throws SECOND_FACTOR_NEEDED if it was the last and one is required. */
export async function afterRemoving(tx: Db, deps: ApiDeps, user: SignedInUser): Promise<void> {
  const { hasTotp, passkeyCount } = await findSecondFactors(tx, user.userId);
  if (hasTotp || passkeyCount > 0) return;
  if (await mustHaveFactor(tx, deps, user.userId, user.customerId === null))
    throw new ProblemError('SECOND_FACTOR_NEEDED');
  await replaceRecoveryCodes(tx, user.userId, []);
}
