import { linkExpiryMost } from '@pahatid/contract';
import { hasApplication } from '@pahatid/db/queries/applications';
import { hasTemplate } from '@pahatid/db/queries/short-links';
import { checkTargetUrl } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import { fieldProblem, ProblemError } from '../../http/problem.ts';

const dayMs = 86_400_000;

/** Returns an address as stored; refuses an invalid one with the reason at its field. */
export function readTarget(field: 'targetUrl' | 'fallbackUrl', url: string, ownDomain: string): string {
  const checked = checkTargetUrl(url, ownDomain);
  if (!checked.ok) throw fieldProblem(field, checked.code);
  return checked.url;
}

/** Returns when a link ends: so many days from now, or at a date. Null if neither is set. */
export function readExpiry(
  asked: { expiryDays?: number | undefined; expireTime?: string | undefined },
  now: Date,
): Date | null {
  if (asked.expiryDays !== undefined && asked.expireTime !== undefined)
    throw fieldProblem('expiryDays', 'NOT_AN_OPTION');
  if (asked.expiryDays !== undefined) return new Date(now.getTime() + asked.expiryDays * dayMs);
  if (asked.expireTime === undefined) return null;
  const at = new Date(asked.expireTime);
  if (at <= now) throw fieldProblem('expireTime', 'LINK_EXPIRY_PAST');
  if (at.getTime() > now.getTime() + linkExpiryMost * dayMs)
    throw fieldProblem('expireTime', 'LINK_EXPIRY_FAR', { days: linkExpiryMost });
  return at;
}

/** Refuses parts that are not the customer's own. */
export async function assertOwnParts(
  tx: PoolClient,
  customerId: string,
  { appId, templateId }: { appId: string | null; templateId: string | null },
): Promise<void> {
  if (appId !== null && !(await hasApplication(tx, customerId, appId)))
    throw new ProblemError('APP_NOT_FOUND', { appId });
  if (templateId !== null && !(await hasTemplate(tx, customerId, templateId)))
    throw new ProblemError('TEMPLATE_NOT_FOUND', { templateId });
}
