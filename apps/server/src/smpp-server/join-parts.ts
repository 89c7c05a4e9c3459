/**
 * Long texts that software cuts into parts itself, by user data header or SAR TLVs. Each part is stored before it is
 * answered with a separate id. The one that completes the text is answered after the whole text was judged and
 * accepted as one message; the receipts of that message go out once for each part. A text that is refused, or whose
 * parts don't all come, ends unsent, and those who have an answer for a part get a receipt that says so.
 */

import { createHash } from 'node:crypto';
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import { uuidV7, withTransaction } from '@pahatid/db';
import { writeSmppReceipts } from '@pahatid/db/queries/smpp-deliveries';
import {
  deleteSmppText,
  insertIssuedIds,
  insertSmppText,
  listDueSmppTexts,
  lockSmppText,
  type SmppText,
  type SmppTextKey,
  saveSmppText,
} from '@pahatid/db/queries/smpp-texts';
import { countSegments, DealResult } from '@pahatid/domain';
import { decodeText, readDataCoding } from '@pahatid/smpp';
import type { Logger } from 'pino';
import { acceptMessages } from '../sending/accept/accept.ts';
import { type AcceptSubmitDeps, acceptCall, issueId } from './accept-submit.ts';
import type { BoundApplication } from './bound-application.ts';
import { judgeSubmittedAddresses, judgeSubmittedText } from './judge-submit.ts';
import type { Submitted } from './read-submit.ts';
import { StatusError } from './statuses.ts';
import { writeTerms } from './terms.ts';

/** How long a text waits for its next part. */
const WAIT_MS = 5 * 60_000;
/** A complete one is accepted by the sweep if its process died meanwhile. */
const COMPLETE_MS = 30_000;

/** Of the part that came first. */
interface Terms {
  readonly submitted: Omit<Submitted, 'octets' | 'part' | 'notBefore'> & { readonly notBeforeMs: number | null };
  readonly clientSid: string;
  readonly areaCode: string;
}

type Text = SmppText<Terms>;

/** registered_delivery of the message: its ids have their own. */
const BY_PART = -1;

/** Returns the id of the part. */
export async function acceptPart(
  application: BoundApplication,
  submitted: Submitted,
  deps: AcceptSubmitDeps,
): Promise<string> {
  const { customerId, appId } = application.account;
  const { octets, part, notBefore, ...rest } = submitted;
  const addresses = await judgeSubmittedAddresses(application, submitted, deps);
  const { reference, referenceBits, total, sequence } = part!;
  const { source } = submitted;
  const key: SmppTextKey = { customerId, appId, source, msisdn: addresses.msisdn, referenceBits, reference, total };
  const terms: Terms = { submitted: { ...rest, notBeforeMs: notBefore?.getTime() ?? null }, ...addresses };
  const id = String(await issueId(deps));
  const { text, issuedId } = await storePart(key, terms, { index: sequence - 1, octets, id }, deps, application);
  if (!isWhole(text)) return issuedId;
  try {
    await acceptText(application, key, text, deps);
  } catch (error) {
    await refuseText(application, key, text, sequence - 1, error, deps);
    throw error;
  }
  return issuedId;
}

const isWhole = ({ parts }: Text): boolean => parts.every((part) => part !== null);

interface Part {
  readonly index: number;
  readonly octets: Buffer;
  readonly id: string;
}

/** The same part again gets the id that it has; another one under its number begins another text. */
async function storePart(
  key: SmppTextKey,
  terms: Terms,
  { index, octets, id }: Part,
  deps: AcceptSubmitDeps,
  application: BoundApplication,
): Promise<{ text: Text; issuedId: string }> {
  const asked = terms.submitted.registeredDelivery;
  for (;;) {
    const stored = await withTransaction(deps.control, async (tx) => {
      const found = await lockSmppText<Terms>(tx, key);
      if (found === null) {
        const empty = new Array<null>(key.total).fill(null);
        const text: Text = {
          textId: uuidV7(),
          parts: (empty as (Buffer | null)[]).with(index, octets),
          issuedIds: (empty as (string | null)[]).with(index, id),
          asked: (empty as (number | null)[]).with(index, asked),
          terms,
        };
        return (await insertSmppText(tx, key, text, WAIT_MS)) ? { text, issuedId: id } : 'again';
      }
      const there = found.parts[index];
      if (there?.equals(octets) === true) return { text: found, issuedId: found.issuedIds[index]! };
      if (there !== null && there !== undefined) return found;
      const text: Text = {
        ...found,
        parts: found.parts.with(index, octets),
        issuedIds: found.issuedIds.with(index, id),
        asked: found.asked.with(index, asked),
      };
      await saveSmppText(tx, key, text, isWhole(text) ? COMPLETE_MS : WAIT_MS);
      return { text, issuedId: id };
    });
    if (stored === 'again') continue;
    if ('issuedId' in stored) return stored;
    await endText(application, key, stored, DealResult.NotSentInTime, deps);
  }
}

/** Characters may be cut by parts, so the octets are joined before they are read. */
const readWhole = ({ parts, terms }: Text): string =>
  decodeText(Buffer.concat(parts.map((part) => part!)), readDataCoding(terms.submitted.dataCoding).alphabet) ?? '';

async function acceptText(
  application: BoundApplication,
  key: SmppTextKey,
  text: Text,
  deps: AcceptSubmitDeps,
): Promise<void> {
  const { appId, customerId } = application.account;
  const { submitted } = text.terms;
  const judged = await judgeSubmittedText(application, submitted, readWhole(text), deps);
  const message = {
    ...judged,
    validFor: submitted.validFor,
    notBefore: submitted.notBeforeMs === null ? null : new Date(submitted.notBeforeMs),
    smpp: writeTerms({ ...submitted, registeredDelivery: BY_PART }, judged.msisdn),
    issued: listIssued(text),
  };
  const name = `smpp:${text.textId}`;
  const [result] = await acceptCall(
    {
      appId,
      customerId,
      messages: [message],
      mayWaitMs: application.mayWaitMs(),
      // Once, whichever process does it.
      key: { key: name, requestHash: createHash('sha256').update(name).digest() },
      joined: { key, textId: text.textId },
    },
    deps.callAcceptor,
  );
  if (result instanceof StatusError) throw result;
}

const listIssued = ({ issuedIds, asked }: Text) =>
  issuedIds.flatMap((id, index) => (id === null ? [] : [{ issuedId: BigInt(id), asked: asked[index] ?? 0 }]));

/** What may pass (a full queue) leaves the other parts waiting for this one again; a refusal ends the text. */
async function refuseText(
  application: BoundApplication,
  key: SmppTextKey,
  text: Text,
  index: number,
  error: unknown,
  deps: AcceptSubmitDeps,
): Promise<void> {
  const without: Text = {
    ...text,
    parts: text.parts.with(index, null),
    issuedIds: text.issuedIds.with(index, null),
    asked: text.asked.with(index, null),
  };
  // Vendor codes are about the message.
  if (error instanceof StatusError && error.status >= 0x400) {
    await endText(application, key, without, DealResult.TextRefused, deps);
    return;
  }
  await withTransaction(deps.control, async (tx) => {
    const found = await lockSmppText<Terms>(tx, key);
    if (found?.textId === text.textId) await saveSmppText(tx, key, without, WAIT_MS);
  });
}

/** Ends a text as a message that is not sent. */
async function endText(
  { account }: Pick<BoundApplication, 'account'>,
  key: SmppTextKey,
  text: Text,
  dealResult: string,
  { control, acceptor }: AcceptSubmitDeps,
): Promise<void> {
  const { customerId, appId, chargeType } = account;
  const { submitted, clientSid, areaCode } = text.terms;
  const { alphabet } = readDataCoding(submitted.dataCoding);
  const content = text.parts.map((part) => (part === null ? '…' : (decodeText(part, alphabet) ?? ''))).join('');
  const accept = await acceptor.quick();
  await withTransaction(control, async (tx) => {
    if (!(await deleteSmppText(tx, key, text.textId))) return;
    const smpp = writeTerms({ ...submitted, registeredDelivery: BY_PART }, key.msisdn);
    const pkgTotal = countSegments(content).segments;
    const { messageIds } = await acceptMessages(tx, accept, {
      customerId,
      appId,
      smsType: submitted.smsType,
      clientSid,
      chargeType,
      taskId: null,
      round: 0,
      notBefore: null,
      recipients: [{ msisdn: key.msisdn, areaCode, content, pkgTotal, smpp }],
      outcome: { sendStatus: SendStatus.Failed, clientStatus: ClientStatus.Blocked, dealResult },
    });
    const messageId = messageIds[0]!;
    await insertIssuedIds(
      tx,
      listIssued(text).map((each) => ({ ...each, customerId, appId, messageId })),
    );
    await writeSmppReceipts(tx, [{ customerId, messageId, before: null, after: ClientStatus.Blocked }]);
  });
}

/** Texts that are due: complete ones whose process died, and those that lack parts. */
export async function sweepTexts(
  accounts: (appId: string) => Promise<BoundApplication | null>,
  deps: AcceptSubmitDeps,
  log: Logger,
  offsetMs = 0,
): Promise<number> {
  const due = await listDueSmppTexts<Terms>(deps.control, 100, offsetMs);
  for (const { textId, parts, issuedIds, asked, terms, ...key } of due) {
    const text: Text = { textId, parts, issuedIds, asked, terms };
    const application = await accounts(key.appId);
    if (application === null) continue;
    try {
      if (isWhole(text)) await acceptText(application, key, text, deps);
      else await endText(application, key, text, DealResult.NotSentInTime, deps);
    } catch (error) {
      if (error instanceof StatusError && error.status >= 0x400)
        await endText(application, key, text, DealResult.TextRefused, deps);
      else log.warn({ err: error, appId: key.appId }, 'long text of software not settled, will retry');
    }
  }
  return due.length;
}
