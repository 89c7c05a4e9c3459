/**
 * Short links in texts: in the template, a link with one code per recipient has a constant code, which each message
 * replaces by another code of the same length, so its segment count is unchanged. One query for all messages of a
 * transaction, and one COPY; texts without a link cost a search for "/s/".
 */
import { randomBytes } from 'node:crypto';
import type { NewMessage } from '@pahatid/db';
import {
  findLinksByCode,
  insertLinkCodes,
  insertLinkTasks,
  moveLinkCodes,
  type NewLinkCode,
  type OwnLink,
} from '@pahatid/db/queries/short-links';
import { findShortLinks, isOnDomain, makeShortCodes, replaceCodes, type ShortLinkPlace } from '@pahatid/domain';
import type { PoolClient } from 'pg';

interface Bearer {
  message: NewMessage;
  places: ShortLinkPlace[];
}

/** Short links by their own codes. */
export type LinksByCode = ReadonlyMap<string, OwnLink>;

/**
 * Changes the texts in place, and returns what else must be written, together with the messages. `known`: the links, if
 * they were read before in this transaction.
 */
export async function giveLinkCodes(
  tx: PoolClient,
  messages: readonly NewMessage[],
  known?: LinksByCode,
): Promise<(() => Promise<void>)[]> {
  const bearers = messages.flatMap((message): Bearer[] => {
    const places = findShortLinks(message.content);
    return places.length === 0 ? [] : [{ message, places }];
  });
  if (bearers.length === 0) return [];
  const links = known ?? (await readLinks(tx, messages));
  const rows: NewLinkCode[] = [];
  const moves: { customerId: string; code: string; messageId: bigint }[] = [];
  const uses = new Map<string, { customerId: string; linkId: string; taskId: string }>();
  const fresh = makeShortCodes(countPersonal(bearers, links), randomBytes);
  for (const { message, places } of bearers) {
    const { customerId, messageId, taskId } = message;
    const changes: { from: number; to: number; code: string }[] = [];
    // The same link twice in a text has one code: a recipient opening both counts as one click.
    const given = new Map<string, string>();
    for (const place of places) {
      const link = linkAt(links, message, place);
      if (link === undefined) {
        // A message that repeats another one has its recipient's code already.
        if (message.retryOf !== null) moves.push({ customerId, code: place.code, messageId });
        continue;
      }
      if (taskId !== null) uses.set(link.linkId + taskId, { customerId, linkId: link.linkId, taskId });
      if (link.mode === 'shared') continue;
      // As many were made as there are places.
      const code = given.get(link.linkId) ?? fresh.pop()!;
      changes.push({ ...place, code });
      if (given.has(link.linkId)) continue;
      given.set(link.linkId, code);
      rows.push({ code, customerId, linkId: link.linkId, messageId });
    }
    if (changes.length > 0) message.content = replaceCodes(message.content, changes);
  }
  const writes: (() => Promise<void>)[] = [];
  if (rows.length > 0) writes.push(() => insertLinkCodes(tx, rows));
  if (uses.size > 0) writes.push(() => insertLinkTasks(tx, [...uses.values()]));
  for (const [customerId, of] of Map.groupBy(moves, (move) => move.customerId))
    writes.push(() => moveLinkCodes(tx, customerId, of));
  return writes;
}

/** Reads the short links of these texts, other customers' included; no query if no text has one. */
export async function readLinks(
  tx: PoolClient,
  texts: readonly Pick<NewMessage, 'customerId' | 'content'>[],
): Promise<LinksByCode> {
  const codes = new Set(texts.flatMap(({ content }) => findShortLinks(content).map((place) => place.code)));
  if (codes.size === 0) return new Map();
  const customers = new Set(texts.map(({ customerId }) => customerId));
  const found = await findLinksByCode(tx, [...customers], [...codes], new Date());
  return new Map(found.map((link) => [link.code, link]));
}

/** Another customer's code, or one after another domain, is plain text. */
function linkAt(links: LinksByCode, message: NewMessage, place: ShortLinkPlace): OwnLink | undefined {
  const link = links.get(place.code);
  const isOurs = link?.customerId === message.customerId && isOnDomain(message.content, place, link.domain);
  return isOurs ? link : undefined;
}

const countPersonal = (bearers: readonly Bearer[], links: LinksByCode): number =>
  bearers.reduce(
    (sum, { message, places }) =>
      sum + places.filter((place) => linkAt(links, message, place)?.mode === 'perRecipient').length,
    0,
  );
