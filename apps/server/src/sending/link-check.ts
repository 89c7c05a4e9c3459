import type { Db } from '@pahatid/db';
import { findLinksByCode } from '@pahatid/db/queries/short-links';
import { findShortLinks, isOnDomain } from '@pahatid/domain';
import { ProblemError } from '../http/problem.ts';

/** Refuses a text whose own short links lead nowhere: everybody would get a link to a page that says so. */
export async function assertLinksUsable(db: Db, customerId: string, content: string, now: Date): Promise<void> {
  const places = findShortLinks(content);
  if (places.length === 0) return;
  const links = await findLinksByCode(
    db,
    [customerId],
    places.map(({ code }) => code),
    now,
  );
  const dead = links.some(
    (link) =>
      !link.isUsable && places.some((place) => place.code === link.code && isOnDomain(content, place, link.domain)),
  );
  if (dead) throw new ProblemError('LINK_NOT_USABLE');
}
