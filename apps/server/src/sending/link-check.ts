import type { Db } from '@pahatid/db';
import { findLinksByCode } from '@pahatid/db/queries/short-links';
import { findShortLinks, isOnDomain } from '@pahatid/domain';
import { ProblemError } from '../http/problem.ts';

/** Refuses a text whose own short links lead nowhere, or to what no reviewer has approved or staff have blocked. */
export async function assertLinksUsable(db: Db, customerId: string, content: string, now: Date): Promise<void> {
  const places = findShortLinks(content);
  if (places.length === 0) return;
  const links = await findLinksByCode(
    db,
    [customerId],
    places.map(({ code }) => code),
    now,
  );
  const own = links.filter((link) =>
    places.some((place) => place.code === link.code && isOnDomain(content, place, link.domain)),
  );
  const unapproved = own.find((link) => !link.isApproved);
  if (unapproved !== undefined) throw new ProblemError('LINK_NOT_APPROVED', { linkName: unapproved.linkName });
  if (own.some((link) => !link.isUsable)) throw new ProblemError('LINK_NOT_USABLE');
}
