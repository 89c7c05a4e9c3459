/**
 * Long texts of phones come in parts, on any bind of any process, in any order, now and then twice, and not always all.
 * Each part is stored before it is answered; whoever stores the last one stores the text. A row's lock lets parts of one
 * text wait for each other, so that exactly one is the last.
 */
import { insertOptOut } from '@pahatid/db';
import { writeInboundEvent } from '@pahatid/db/queries/callback-events';
import { type AnsweredMessage, findAnswered, insertInbound, rewriteInbound } from '@pahatid/db/queries/inbound';
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

/** So long after a part came a text waits for the others; they come seconds apart, and a refusal must not wait. */
const WAIT_MS = 5 * 60_000;
/** So long after it was stored a part may still be sent again by the carrier, or come at last. */
const KEEP_MS = 86_400_000;
/** A text answers a message of this time, or none. */
export const LOOK_BACK_MS = 30 * 86_400_000;

export type PartOfText = InboundText & { readonly part: InboundPart };

export const partsKeyOf = ({ supplierId, msisdn, destination, part }: PartOfText): PartsKey => ({
  ...{ supplierId, msisdn, destination },
  ...{ referenceBits: part.referenceBits, reference: part.reference, total: part.total },
});

/** False where nobody wrote to this phone: there is no one to keep it for. */
export const storePart = async (tx: PoolClient, text: PartOfText): Promise<boolean> => {
  const key = partsKeyOf(text);
  const octets = Buffer.from(text.content, 'utf16le');
  const index = text.part.sequence - 1;
  for (;;) {
    const row = await lockParts(tx, key);
    if (row !== null) {
      await addPart(tx, key, row, { text, index, octets });
      return true;
    }
    const answered = await findAnsweredBy(tx, text);
    if (answered === null) return false;
    if (await insertParts(tx, key, beginText(text, answered, index, octets), WAIT_MS)) return true;
  }
};

/** Of a text whose time has come: it is stored as it is, or forgotten where it was stored before. */
export const settleParts = async (
  tx: PoolClient,
  key: PartsKey,
  offsetMs: number,
): Promise<'stored' | 'forgotten' | null> => {
  const row = await lockParts(tx, key, offsetMs);
  if (row === null || !row.isDue) return null;
  if (row.isStored) {
    await deleteParts(tx, key);
    return 'forgotten';
  }
  await storeText(tx, key, row);
  await saveParts(tx, key, { ...row, isStored: true }, KEEP_MS + offsetMs);
  return 'stored';
};

async function addPart(
  tx: PoolClient,
  key: PartsKey,
  found: PartsRow,
  { text, index, octets }: { text: PartOfText; index: number; octets: Buffer },
): Promise<void> {
  const there = found.parts[index];
  if (there?.equals(octets) === true) return;
  let row: PartsRow = { ...found, parts: found.parts.with(index, octets) };
  // Another text: phones begin their references anew.
  if (there !== null) {
    if (!found.isStored) await storeText(tx, key, found);
    row = beginText(text, (await findAnsweredBy(tx, text)) ?? found, index, octets);
  }
  // What was stored without this part is told once more, with it.
  const isStored = row.isStored || row.parts.every((part) => part !== null);
  if (isStored) await storeText(tx, key, row);
  await saveParts(tx, key, { ...row, isStored }, isStored ? KEEP_MS : WAIT_MS);
}

const beginText = (text: PartOfText, answered: AnsweredMessage, index: number, octets: Buffer): PartsRow => ({
  ...{ customerId: answered.customerId, messageId: answered.messageId, appId: answered.appId, taskId: answered.taskId },
  ...{ inboundId: text.inboundId, receivedMs: text.receivedMs, isStored: false },
  parts: new Array<Buffer | null>(text.part.total).fill(null).with(index, octets),
});

const findAnsweredBy = (tx: PoolClient, { supplierId, msisdn, destination, receivedMs }: InboundText) =>
  findAnswered(tx, supplierId, msisdn, destination, receivedMs - LOOK_BACK_MS);

async function storeText(tx: PoolClient, { supplierId, msisdn, destination }: PartsKey, row: PartsRow): Promise<void> {
  const { customerId, messageId, appId, taskId, inboundId, receivedMs } = row;
  const { content, isOptOut } = joinParts(row.parts.map((part) => part?.toString('utf16le') ?? null));
  const stored = { customerId, inboundId, content, isOptOut };
  if (row.isStored) await rewriteInbound(tx, stored);
  else await insertInbound(tx, { ...stored, supplierId, msisdn, destination, receivedMs, messageId, appId, taskId });
  await writeInboundEvent(tx, { customerId, appId, inboundId, messageId });
  // Senders look for refusals of the last minutes, so this one is of now.
  if (isOptOut) await insertOptOut(tx, { customerId, msisdn, source: 'reply', evidence: content, at: new Date() });
}
