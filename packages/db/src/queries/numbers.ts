/**
 * All stored data about one number of one customer, and its erasure. A message keeps its row, with its number and text
 * emptied: counts and charges remain verifiable. An empty number means an erased one.
 */

import type { NumberCounts } from '@pahatid/contract';
import { clientStatus, sendStatus } from '../literals.ts';
import { type Db, type Fragment, many, one, run, sql } from '../sql.ts';
import { eraseArchived } from './archive-packing.ts';
import { eraseConversations } from './conversations.ts';
import { eraseKeywordAnswers } from './keyword-answers.ts';
import { messagesTo } from './message-archive.ts';
import { shownContent } from './shown-messages.ts';

const erasedMsisdn = '';

/** Nothing more can come for it: refused, or its receipt is in, or overdue. */
const isEnded = sql`(m.send_status = ${sendStatus.Failed} or (m.send_status = ${sendStatus.Successful}
  and m.client_status >= ${clientStatus.Delivered}))`;

const ofNumber = (customerId: string, msisdn: string): Fragment<unknown> =>
  sql`m.customer_id = ${customerId} and m.msisdn = ${msisdn}`;

/**
 * Counts everything except the files, whose rows are compressed. Limits are a control table, so they are counted
 * separately.
 */
export const countNumber = async (
  db: Db,
  customerId: string,
  msisdn: string,
): Promise<Omit<NumberCounts, 'fileCount'>> => {
  const counts = await one(
    db,
    sql<Pick<NumberCounts, 'optOutCount' | 'consentCount' | 'inboundCount' | 'groupCount'>>`select
        (select count(*)::int from opt_out m where ${ofNumber(customerId, msisdn)}) as "optOutCount",
        (select count(*)::int from consent m where ${ofNumber(customerId, msisdn)}) as "consentCount",
        (select count(*)::int from inbound m where ${ofNumber(customerId, msisdn)}) as "inboundCount",
        (select count(*)::int from group_member m where ${ofNumber(customerId, msisdn)}) as "groupCount"`,
  );
  const { messageCount } = await one(
    db,
    sql<{ messageCount: number }>`select count(*)::int as "messageCount" from ${messagesTo(customerId, msisdn)} m`,
  );
  const { underWayCount } = await one(
    db,
    sql<{ underWayCount: number }>`select count(*)::int as "underWayCount" from message m
      where ${ofNumber(customerId, msisdn)} and not ${isEnded}`,
  );
  const { exemptionCount } = await one(
    db,
    sql<{ exemptionCount: number }>`select count(*)::int as "exemptionCount" from threshold
      where customer_id = ${customerId} and ${msisdn} = any(exempt || msisdns)`,
  );
  const { clickCount } = await one(
    db,
    sql<{
      clickCount: number;
    }>`select count(*)::int as "clickCount" from link_code k join link_click c on c.code = k.code
      where k.customer_id = ${customerId} and k.message_id = any(${await listNumberIds(db, customerId, msisdn)}::bigint[])`,
  );
  return { ...counts, messageCount, underWayCount, exemptionCount, clickCount };
};

const listNumberIds = async (db: Db, customerId: string, msisdn: string): Promise<string[]> => {
  const rows = await many(
    db,
    sql<{ id: string }>`select m.message_id::text as id from ${messagesTo(customerId, msisdn)} m`,
  );
  return rows.map((row) => row.id);
};

export interface NumberMessageRow {
  messageId: string;
  appId: string;
  taskId: string | null;
  taskName: string | null;
  smsType: number;
  clientSid: string;
  content: string;
  sendStatus: number;
  clientStatus: number;
  dealResult: string | null;
  submittedAt: Date | null;
  reportAt: Date | null;
}

/** Messages to a number in order, after one. */
export const listNumberMessages = async (
  db: Db,
  of: { customerId: string; msisdn: string; after: string; limit: number },
): Promise<NumberMessageRow[]> =>
  many(
    db,
    sql<NumberMessageRow>`select m.message_id::text as "messageId", m.app_id as "appId", m.task_id as "taskId",
        t.task_name as "taskName", m.sms_type as "smsType", m.client_sid as "clientSid", ${shownContent} as content,
        m.send_status as "sendStatus", m.client_status as "clientStatus", m.deal_result as "dealResult",
        m.submitted_at as "submittedAt", m.report_at as "reportAt"
      from ${messagesTo(of.customerId, of.msisdn)} m left join task t on t.task_id = m.task_id
      where m.message_id > ${of.after}::bigint
      order by m.message_id limit ${of.limit}`,
  );

export const listNumberOptOuts = async (
  db: Db,
  customerId: string,
  msisdn: string,
): Promise<{ source: string; evidence: string | null; createdAt: Date }[]> =>
  many(
    db,
    sql`select source, evidence, created_at as "createdAt" from opt_out m where ${ofNumber(customerId, msisdn)}`,
  );

export const listNumberInbound = async (
  db: Db,
  customerId: string,
  msisdn: string,
): Promise<{ receivedAt: Date; destination: string; content: string }[]> =>
  many(
    db,
    sql`select received_at as "receivedAt", destination, content from inbound m
        where ${ofNumber(customerId, msisdn)} order by received_at`,
  );

/** Erases messages that have ended, the archived ones after the rows, which may just be moved there; returns their IDs. */
export const eraseMessages = async (tx: Db, customerId: string, msisdn: string): Promise<string[]> => {
  const rows = await many(
    tx,
    sql<{ id: string }>`update message m set msisdn = ${erasedMsisdn}, content = ''
      where ${ofNumber(customerId, msisdn)} and ${isEnded} returning m.message_id::text as id`,
  );
  return [...rows.map((row) => row.id), ...(await eraseArchived(tx, customerId, msisdn))];
};

/** Erases resolved doubts; an open one is a message in progress. */
export const eraseDoubts = async (tx: Db, customerId: string, msisdn: string): Promise<void> => {
  await run(
    tx,
    sql`update in_doubt set msisdn = ${erasedMsisdn}
        where customer_id = ${customerId} and msisdn = ${msisdn} and resolved_at is not null`,
  );
};

/** Includes parts waiting for others, the conversation and its automatic answers, which are not counted. */
export const eraseInbound = async (tx: Db, customerId: string, msisdn: string): Promise<number> => {
  await run(tx, sql`delete from inbound_part where customer_id = ${customerId} and msisdn = ${msisdn}`);
  await eraseConversations(tx, customerId, msisdn);
  await eraseKeywordAnswers(tx, customerId, msisdn);
  return await run(tx, sql`delete from inbound where customer_id = ${customerId} and msisdn = ${msisdn}`);
};

export const eraseExemptions = async (tx: Db, customerId: string, msisdn: string): Promise<number> =>
  run(
    tx,
    sql`update threshold set exempt = array_remove(exempt, ${msisdn}), msisdns = array_remove(msisdns, ${msisdn})
        where customer_id = ${customerId} and ${msisdn} = any(exempt || msisdns)`,
  );

export interface ReceiptOfNumber {
  supplierId: string;
  receiptId: string;
  carrierMessageId: string;
}

/** Receipts that waited for a message to this number, of any customer: carriers write it in different formats. */
export const findReceiptsOfNumber = async (db: Db, msisdn: string): Promise<ReceiptOfNumber[]> =>
  many(
    db,
    sql<ReceiptOfNumber>`select supplier_id as "supplierId", receipt_id as "receiptId",
        carrier_message_id as "carrierMessageId"
      from receipt_inbox
      where right(regexp_replace(msisdn, '\\D', '', 'g'), 9) = right(${msisdn}, 9) and matched_at is not null`,
  );

/** Removes those of the receipts that were for one of these messages. */
export const eraseReceipts = async (
  tx: Db,
  customerId: string,
  asked: readonly (ReceiptOfNumber & { form: string })[],
  messageIds: readonly string[],
): Promise<number> => {
  if (asked.length === 0 || messageIds.length === 0) return 0;
  // Two statements: the tables lie by supplier account each for itself, and are not joined across nodes.
  const found = await many(
    tx,
    sql<{ receiptId: string }>`select a.receipt_id as "receiptId"
      from unnest(${asked.map((each) => each.supplierId)}::uuid[], ${asked.map((each) => each.receiptId)}::uuid[],
        ${asked.map((each) => each.form)}::text[]) as a(supplier_id, receipt_id, form)
      join dlr_route r on r.supplier_id = a.supplier_id and r.carrier_message_id = a.form
      where r.customer_id = ${customerId} and r.message_id = any(${messageIds}::bigint[])`,
  );
  return await run(
    tx,
    sql`delete from receipt_inbox where receipt_id = any(${found.map((row) => row.receiptId)}::uuid[])`,
  );
};

/** Uploads that may hold the number in their rows. */
export const listReadFiles = async (
  db: Db,
  customerId: string,
): Promise<{ fileId: string; fileName: string; generation: number; createdAt: Date }[]> =>
  many(
    db,
    sql`select file_id as "fileId", file_name as "fileName", generation, created_at as "createdAt" from file
        where customer_id = ${customerId} and file_status in ('success', 'fail') and error_code is distinct from 'FILE_EXPIRED'
        order by created_at`,
  );

export interface FilePiece {
  seq: number;
  rows: [line: number, raw: string, reason: string][];
}

export const listFileRejects = async (db: Db, fileId: string): Promise<(FilePiece & { generation: number })[]> =>
  many(db, sql`select generation, seq, rows from file_reject where file_id = ${fileId} order by generation, seq`);

export const listTaskRejects = async (db: Db, fileId: string): Promise<(FilePiece & { taskId: string })[]> =>
  many(
    db,
    sql`select r.task_id as "taskId", r.seq, r.rows from task_reject r join task t on t.task_id = r.task_id
        where t.file_id = ${fileId} or t.audience_id = ${fileId} order by r.task_id, r.seq`,
  );

/** Locks a file against being read again, removed or emptied at the same time; returns false if it is deleted. */
export const lockReadFile = async (tx: Db, fileId: string): Promise<boolean> =>
  (await many(tx, sql`select 1 from file where file_id = ${fileId} and file_status in ('success', 'fail') for update`))
    .length === 1;

export const setFileBlock = async (
  tx: Db,
  block: { fileId: string; generation: number; seq: number; bytes: Uint8Array },
): Promise<void> => {
  await run(
    tx,
    sql`update file_block set bytes = ${Buffer.from(block.bytes)}
        where file_id = ${block.fileId} and generation = ${block.generation} and seq = ${block.seq}`,
  );
};

export const setFileReject = async (
  tx: Db,
  piece: FilePiece & { fileId: string; generation: number },
): Promise<void> => {
  await run(
    tx,
    sql`update file_reject set rows = ${JSON.stringify(piece.rows)}
        where file_id = ${piece.fileId} and generation = ${piece.generation} and seq = ${piece.seq}`,
  );
};

export const setTaskReject = async (tx: Db, piece: FilePiece & { taskId: string }): Promise<void> => {
  await run(
    tx,
    sql`update task_reject set rows = ${JSON.stringify(piece.rows)} where task_id = ${piece.taskId} and seq = ${piece.seq}`,
  );
};

export interface FileFace {
  columns: { index: number; name: string; first: string }[];
  sample: string[][];
}

export const readFileFace = async (tx: Db, fileId: string): Promise<FileFace> =>
  one(tx, sql<FileFace>`select columns, sample from file where file_id = ${fileId}`);

/** Erases the displayed data of a file and its original bytes, from which a single number can't be removed. */
export const eraseFromFile = async (tx: Db, fileId: string, face: FileFace): Promise<void> => {
  await run(
    tx,
    sql`update file set columns = ${JSON.stringify(face.columns)}, sample = ${JSON.stringify(face.sample)} where file_id = ${fileId}`,
  );
  await run(tx, sql`delete from file_chunk where file_id = ${fileId}`);
};

/** Whether the original upload is still stored, so that it can be read again. */
export const hasOriginal = async (db: Db, fileId: string): Promise<boolean> =>
  (await many(db, sql`select 1 from file_chunk where file_id = ${fileId} limit 1`)).length === 1;
