/**
 * Long texts from phones arrive in parts, on any bind of any process, in any order, occasionally twice, and not always
 * all. Each part is stored before it is answered; the process that stores the last one stores the text. A row lock
 * serialises the parts of one text, so that exactly one is the last.
 */
import type { ReplyOwner } from '@pahatid/db/queries/inbound';
import {
  deleteParts,
  insertParts,
  lockParts,
  type PartsKey,
  type PartsRow,
  saveParts,
} from '@pahatid/db/queries/inbound-parts';
import { joinParts } from '@pahatid/domain';
import type { InboundPart, InboundText } from '@pahatid/engine';
import type { PoolClient } from 'pg';
import type { Logger } from 'pino';
import { findReplyOwner, type InboundOptions } from './reply-owner.ts';
import { storeReply } from './store-reply.ts';

/** How long a text waits for missing parts after one arrived; they come seconds apart, and an opt-out must not wait. */
const WAIT_MS = 5 * 60_000;
/** So long after it was stored a part may still be sent again by the carrier, or come at last. */
const KEEP_MS = 86_400_000;

export type PartOfText = InboundText & { readonly part: InboundPart };

export const toPartsKey = ({ supplierId, msisdn, destination, part }: PartOfText): PartsKey => ({
  supplierId,
  msisdn,
  destination,
  referenceBits: part.referenceBits,
  reference: part.reference,
  total: part.total,
});

export const storePart = async (tx: PoolClient, text: PartOfText, options: InboundOptions): Promise<void> => {
  const key = toPartsKey(text);
  const octets = Buffer.from(text.content, 'utf16le');
  const index = text.part.sequence - 1;
  for (;;) {
    const row = await lockParts(tx, key);
    if (row !== null) {
      await addPart(tx, key, row, { text, index, octets }, options);
      return;
    }
    const owner = await findReplyOwner(tx, options, text);
    if (await insertParts(tx, key, beginText(text, owner, index, octets), WAIT_MS)) return;
  }
};

/** For a text whose time is over: stores it as it is, or deletes it if it was stored before. */
export const settleParts = async (
  tx: PoolClient,
  key: PartsKey,
  offsetMs: number,
  log: Logger,
): Promise<'stored' | 'forgotten' | null> => {
  const row = await lockParts(tx, key, offsetMs);
  if (row === null || !row.isDue) return null;
  if (row.isStored) {
    await deleteParts(tx, key);
    return 'forgotten';
  }
  await storeText(tx, key, row, log);
  await saveParts(tx, key, { ...row, isStored: true }, KEEP_MS + offsetMs);
  return 'stored';
};

async function addPart(
  tx: PoolClient,
  key: PartsKey,
  found: PartsRow,
  { text, index, octets }: { text: PartOfText; index: number; octets: Buffer },
  options: InboundOptions,
): Promise<void> {
  const there = found.parts[index];
  if (there?.equals(octets) === true) return;
  let row: PartsRow = { ...found, parts: found.parts.with(index, octets) };
  // Another text: phones restart their references.
  if (there !== null) {
    if (!found.isStored) await storeText(tx, key, found, options.log);
    row = beginText(text, (await findReplyOwner(tx, options, text)) ?? ownerOf(found), index, octets);
  }
  // A text stored without this part is notified again, with it.
  const isStored = row.isStored || row.parts.every((part) => part !== null);
  if (isStored) await storeText(tx, key, row, options.log);
  await saveParts(tx, key, { ...row, isStored }, isStored ? KEEP_MS : WAIT_MS);
}

const beginText = (text: PartOfText, owner: ReplyOwner | null, index: number, octets: Buffer): PartsRow => ({
  customerId: owner?.customerId ?? null,
  messageId: owner?.messageId ?? null,
  appId: owner?.appId ?? null,
  taskId: owner?.taskId ?? null,
  inboundId: text.inboundId,
  receivedMs: text.receivedMs,
  isStored: false,
  parts: new Array<Buffer | null>(text.part.total).fill(null).with(index, octets),
});

const ownerOf = ({ customerId, messageId, appId, taskId }: PartsRow): ReplyOwner | null =>
  customerId === null ? null : { customerId, messageId, appId, taskId };

async function storeText(
  tx: PoolClient,
  { supplierId, msisdn, destination }: PartsKey,
  row: PartsRow,
  log: Logger,
): Promise<void> {
  const { inboundId, receivedMs, isStored } = row;
  const joined = joinParts(row.parts.map((part) => part?.toString('utf16le') ?? null));
  const text = { ...joined, inboundId, supplierId, msisdn, destination, receivedMs, wasStored: isStored };
  await storeReply(tx, text, ownerOf(row), log);
}
