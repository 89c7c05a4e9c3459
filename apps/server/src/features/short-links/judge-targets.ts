import { addUsedHosts, findBlockedHost, readLinkReview } from '@pahatid/db/queries/link-safety';
import { linkHost, linkNeedsReview } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import { ProblemError } from '../../http/problem.ts';

/** Returns the review state of a link to these addresses: 0, a reviewer checks it first; 3, no review needed. */
export async function judgeTargets(
  tx: PoolClient,
  customerId: string,
  { targetUrl, fallbackUrl }: { targetUrl: string; fallbackUrl: string | null },
): Promise<0 | 3> {
  const hosts = [targetUrl, fallbackUrl].flatMap((url) => (url === null ? [] : [linkHost(url)]));
  const domain = await findBlockedHost(tx, hosts);
  if (domain !== null) throw new ProblemError('LINK_DOMAIN_BLOCKED', { domain });
  const { policy, used } = await readLinkReview(tx, customerId, hosts);
  if (linkNeedsReview(policy, hosts, used)) return 0;
  await addUsedHosts(tx, customerId, hosts);
  return 3;
}
