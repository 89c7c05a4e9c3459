import type { Db } from '@pahatid/db';
import { findLinksByCode, type OwnLink } from '@pahatid/db/queries/short-links';
import { findShortLinks, isOnDomain, type ShortLinkPlace } from '@pahatid/domain';
import { ProblemError } from '../http/problem.ts';

/** Returns why a text must not be sent, or null. */
export type LinkCheck = (content: string) => ProblemError | null;

type LinksByCode = ReadonlyMap<string, OwnLink>;

/** Reads all short links of the customer in these texts with one query, or none if no text has a link. */
async function readLinks(
  db: Db,
  customerId: string,
  contents: readonly string[],
  now: Date,
): Promise<LinksByCode | null> {
  const codes = new Set(contents.flatMap((content) => findShortLinks(content).map(({ code }) => code)));
  if (codes.size === 0) return null;
  const found = await findLinksByCode(db, [customerId], [...codes], now);
  return new Map(found.map((link) => [link.code, link]));
}

/** The customer's own links among the places of a text. */
const ownLinks = (content: string, links: LinksByCode): OwnLink[] =>
  findShortLinks(content).flatMap((place) => {
    const link = links.get(place.code);
    return link !== undefined && isOnDomain(content, place, link.domain) ? [link] : [];
  });

const notApproved = ({ linkName }: OwnLink) => new ProblemError('LINK_NOT_APPROVED', { linkName });

/**
 * A text is refused if one of its links waits for a reviewer, was rejected or blocked by staff, or is expired, disabled
 * or deleted.
 */
export async function readLinkCheck(
  db: Db,
  customerId: string,
  contents: readonly string[],
  now: Date,
): Promise<LinkCheck> {
  const links = await readLinks(db, customerId, contents, now);
  return links === null ? () => null : (content) => checkLinks(ownLinks(content, links));
}

function checkLinks(own: readonly OwnLink[]): ProblemError | null {
  const unapproved = own.find((link) => !link.isApproved);
  if (unapproved !== undefined) return notApproved(unapproved);
  return own.some((link) => !link.isUsable) ? new ProblemError('LINK_NOT_USABLE') : null;
}

/** Refuses if any of the texts has a short link of the customer that must not be sent. */
export async function assertLinksUsable(
  db: Db,
  customerId: string,
  contents: readonly string[],
  now: Date,
): Promise<void> {
  const check = await readLinkCheck(db, customerId, contents, now);
  for (const content of contents) {
    const problem = check(content);
    if (problem !== null) throw problem;
  }
}

/**
 * Refuses a template's text whose links can not be sent later either: rejected, blocked, expired, disabled, deleted, or
 * at our own address and not the customer's. A link that waits for a reviewer is allowed, so that both wait together;
 * whatever sends the template checks it again.
 */
export async function assertTemplateLinks(
  db: Db,
  customerId: string,
  content: string,
  { now, ownDomain }: { now: Date; ownDomain: string },
): Promise<void> {
  const links = await readLinks(db, customerId, [content], now);
  if (links === null) return;
  const problem = checkLinks(
    ownLinks(content, links).filter((link) => !(link.isUsable && link.linkState === 'pending')),
  );
  if (problem !== null) throw problem;
  const isUnknown = (place: ShortLinkPlace) => isOnDomain(content, place, ownDomain) && !links.has(place.code);
  if (findShortLinks(content).some(isUnknown)) throw new ProblemError('LINK_NOT_USABLE');
}

/** Refuses to approve a text before its links are approved. */
export async function assertLinksApproved(db: Db, customerId: string, content: string, now: Date): Promise<void> {
  const links = await readLinks(db, customerId, [content], now);
  const unapproved = links && ownLinks(content, links).find((link) => !link.isApproved);
  if (unapproved) throw notApproved(unapproved);
}

/** The customer's short links in a text, each once, with their states. */
export async function listLinksIn(
  db: Db,
  customerId: string,
  content: string,
  now: Date,
): Promise<Pick<OwnLink, 'linkId' | 'linkName' | 'targetUrl' | 'linkState'>[]> {
  const links = await readLinks(db, customerId, [content], now);
  if (links === null) return [];
  return [...new Set(ownLinks(content, links))].map(({ linkId, linkName, targetUrl, linkState }) => ({
    linkId,
    linkName,
    targetUrl,
    linkState,
  }));
}
