/** Long texts that software submits in parts, and the ids that it knows in addition to those of messages. */
import { numberArray } from '../array-literal.ts';
import { type Db, many, maybe, run, sql } from '../sql.ts';
import { dbNow, dbNowPlus } from './db-clock.ts';
import { messagesWith } from './message-archive.ts';

/** What the parts of one text have in common. */
export interface SmppTextKey {
  customerId: string;
  appId: string;
  source: string;
  msisdn: string;
  referenceBits: number;
  reference: number;
  total: number;
}

export interface SmppText<Terms> {
  textId: string;
  /** In order; null: has not come. */
  parts: (Buffer | null)[];
  issuedIds: (string | null)[];
  /** registered_delivery of each part. */
  asked: (number | null)[];
  terms: Terms;
}

const isOf = (key: SmppTextKey) =>
  sql`customer_id = ${key.customerId} and app_id = ${key.appId} and source = ${key.source} and msisdn = ${key.msisdn}
    and reference_bits = ${key.referenceBits} and reference = ${key.reference} and total = ${key.total}`;

/** Locked to the end of the transaction: another part of the text waits. */
export const lockSmppText = <Terms>(tx: Db, key: SmppTextKey): Promise<SmppText<Terms> | null> =>
  maybe<SmppText<Terms>>(
    tx,
    sql`select text_id as "textId", parts, issued_ids::text[] as "issuedIds", asked, terms from smpp_text
        where ${isOf(key)} for update`,
  );

/** False: another has just begun it. */
export const insertSmppText = async <Terms>(
  tx: Db,
  key: SmppTextKey,
  text: SmppText<Terms>,
  dueInMs: number,
): Promise<boolean> =>
  (await run(
    tx,
    sql`insert into smpp_text (customer_id, app_id, source, msisdn, reference_bits, reference, total, text_id, parts,
          issued_ids, asked, terms, due_at)
        values (${key.customerId}, ${key.appId}, ${key.source}, ${key.msisdn}, ${key.referenceBits}, ${key.reference},
          ${key.total}, ${text.textId}, ${text.parts}::bytea[], ${text.issuedIds}::bigint[], ${text.asked}::smallint[],
          ${JSON.stringify(text.terms)}, ${dbNowPlus(dueInMs)})
        on conflict do nothing`,
  )) === 1;

/** Stores the parts of a text that is locked. */
export const saveSmppText = async (
  tx: Db,
  key: SmppTextKey,
  text: Pick<SmppText<unknown>, 'parts' | 'issuedIds' | 'asked'>,
  dueInMs: number,
): Promise<void> => {
  await run(
    tx,
    sql`update smpp_text set parts = ${text.parts}::bytea[], issued_ids = ${text.issuedIds}::bigint[],
          asked = ${text.asked}::smallint[], due_at = ${dbNowPlus(dueInMs)} where ${isOf(key)}`,
  );
};

/** False: it is gone already. */
export const deleteSmppText = async (tx: Db, key: SmppTextKey, textId: string): Promise<boolean> =>
  (await run(tx, sql`delete from smpp_text where ${isOf(key)} and text_id = ${textId}`)) === 1;

/** Texts whose parts did not all come, or whose process died with the last one. */
export const listDueSmppTexts = <Terms>(
  db: Db,
  limit: number,
  offsetMs: number,
): Promise<(SmppTextKey & SmppText<Terms>)[]> =>
  many<SmppTextKey & SmppText<Terms>>(
    db,
    sql`select customer_id as "customerId", app_id as "appId", source, msisdn, reference_bits as "referenceBits", reference,
          total, text_id as "textId", parts, issued_ids::text[] as "issuedIds", asked, terms
        from smpp_text where due_at <= ${dbNow(offsetMs)} order by due_at limit ${limit}`,
  );

export interface IssuedId {
  customerId: string;
  issuedId: bigint;
  messageId: bigint;
  appId: string;
  /** registered_delivery */
  asked: number;
}

export const insertIssuedIds = async (tx: Db, rows: readonly IssuedId[]): Promise<void> => {
  if (rows.length === 0) return;
  await run(
    tx,
    sql`insert into smpp_issued (customer_id, issued_id, message_id, app_id, asked)
        select * from unnest(${numberArray(rows.map((row) => row.customerId))}::uuid[],
          ${numberArray(rows.map((row) => row.issuedId))}::bigint[], ${numberArray(rows.map((row) => row.messageId))}::bigint[],
          ${rows.map((row) => row.appId)}::text[], ${numberArray(rows.map((row) => row.asked))}::smallint[])`,
  );
};

export const sweepIssuedIds = (db: Db, before: bigint, limit: number): Promise<number> =>
  run(
    db,
    sql`delete from smpp_issued where (customer_id, issued_id, message_id) in (
          select customer_id, issued_id, message_id from smpp_issued where issued_id < ${String(before)}::bigint limit ${limit})`,
  );

export interface QueriedMessage {
  messageId: string;
  sendStatus: number;
  clientStatus: number;
  dealResult: string | null;
  carrierCode: string | null;
  finalAt: Date | null;
  msisdn: string;
  clientSid: string;
}

/** Returns the messages of an id that software knows, archived or not, in the order of their IDs: several of a submit_multi. */
export const listSubmittedMessages = async (
  db: Db,
  { customerId, appId, issuedId }: { customerId: string; appId: string; issuedId: string },
): Promise<QueriedMessage[]> => {
  const issued = await many<{ id: string }>(
    db,
    sql`select message_id::text as id from smpp_issued where customer_id = ${customerId}
          and issued_id = ${issuedId}::bigint`,
  );
  const ids = issued.length === 0 ? [issuedId] : issued.map(({ id }) => id);
  return await many<QueriedMessage>(
    db,
    sql`select m.message_id::text as "messageId", m.send_status as "sendStatus", m.client_status as "clientStatus",
          m.deal_result as "dealResult", m.carrier_code as "carrierCode", coalesce(m.report_at, m.answered_at) as "finalAt",
          m.msisdn, m.client_sid as "clientSid"
        from ${messagesWith(customerId, ids)} m where m.app_id = ${appId} order by m.message_id`,
  );
};

/** Whether the id is that of a part whose text is not whole yet. */
export const isOfWaitingText = async (
  db: Db,
  of: { customerId: string; appId: string; issuedId: string },
): Promise<boolean> =>
  (await maybe(
    db,
    sql`select 1 from smpp_text where customer_id = ${of.customerId} and app_id = ${of.appId}
          and ${of.issuedId}::bigint = any(issued_ids) limit 1`,
  )) !== null;

/** Parts of texts to an erased number. */
export const eraseSmppTexts = (tx: Db, customerId: string, msisdn: string): Promise<number> =>
  run(tx, sql`delete from smpp_text where customer_id = ${customerId} and msisdn = ${msisdn}`);
