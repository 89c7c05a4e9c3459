/** Members of groups as dynamic groups judge them, and what each number got and did lately. */
import type { HistoryField } from '@pahatid/contract';
import { messageIdFloor, messageIdMs } from '../ids.ts';
import { clientStatus, sendStatus } from '../literals.ts';
import { type Db, type Fragment, many, sql } from '../sql.ts';
import type { AudienceMember } from './group-members.ts';
import { findArchiveTop } from './message-archive.ts';

/**
 * Members of one group: every `share`th by a hash of the number, the same numbers in each group; 1: all of them. Reads
 * the numbers of the whole group.
 */
export const sampleMembers = async (
  db: Db,
  of: { customerId: string; groupId: string; share: number },
): Promise<AudienceMember[]> =>
  many(
    db,
    sql`select msisdn, variables, range_holder as "rangeHolder", joined_at as "joinedAt" from group_member
        where customer_id = ${of.customerId} and group_id = ${of.groupId}
          and mod(hashtextextended(msisdn, 20261129), ${of.share}::bigint) = 0`,
  );

export type NumberHistory = Partial<Record<HistoryField, number>>;

export interface HistoryQuestion {
  readonly customerId: string;
  readonly msisdns: readonly string[];
  /** Fields to be read, with the instant back to which, Unix milliseconds; `joined` is a member's own. */
  readonly since: ReadonlyMap<HistoryField, number>;
}

/**
 * When each number was last written to and so on, Unix milliseconds; numbers and fields without are left out. Messages count
 * by the instant of their acceptance. Meant for some thousand numbers: reads the messages of these, and the numbers of the
 * archived blocks since then.
 */
export const readHistory = async (db: Db, question: HistoryQuestion): Promise<ReadonlyMap<string, NumberHistory>> => {
  const { customerId, since } = question;
  const found = new Map<string, NumberHistory>();
  const note = (field: HistoryField, msisdn: string, ms: number): void => {
    const history = found.get(msisdn) ?? {};
    history[field] = Math.max(ms, history[field] ?? 0);
    found.set(msisdn, history);
  };
  const top = await findArchiveTop(db, [customerId]);
  for (const field of ['written', 'delivered', 'clicked'] as const) {
    const sinceMs = since.get(field);
    if (sinceMs === undefined) continue;
    const low = messageIdFloor(sinceMs);
    const read = field === 'clicked' ? readClicks : readMessages[field];
    const sources = top !== null && top >= low ? [rowsTo, archivedSince] : [rowsTo];
    for (const source of sources)
      for (const { msisdn, lastId } of await many(db, read(source(question, String(low)), customerId)))
        note(field, msisdn, messageIdMs(lastId));
  }
  const repliedMs = since.get('replied');
  if (repliedMs !== undefined)
    for (const { msisdn, at } of await listReplied(db, question, repliedMs)) note('replied', msisdn, at.getTime());
  return found;
};

type LastMessage = { msisdn: string; lastId: string };
type Source = (question: HistoryQuestion, low: string) => Fragment;

/** Messages that are rows; on Citus these are fetched before they are joined with tables of the coordinator. */
const rowsTo: Source = ({ customerId, msisdns }, low) =>
  sql`(select msisdn, message_id, send_status, client_status from message where customer_id = ${customerId}
    and msisdn = any(${msisdns}::text[]) and message_id >= ${low}::bigint offset 0)`;

const archivedSince: Source = ({ customerId, msisdns }, low) =>
  sql`(select u.msisdn::text as msisdn, a.first_id + u.id as message_id, (k.kind ->> 'send_status')::smallint as send_status,
      (k.kind ->> 'client_status')::smallint as client_status
    from message_archive a cross join lateral unnest(a.offsets, a.kind, a.msisdns) as u(id, kind, msisdn)
    cross join lateral (select a.kinds -> (u.kind - 1) as kind) k
    where a.customer_id = ${customerId} and a.last_id >= ${low}::bigint and a.first_id + u.id >= ${low}::bigint
      and u.msisdn = any(${msisdns}::bigint[]))`;

const lastOf = (source: Fragment, isWanted: Fragment): Fragment<LastMessage> =>
  sql<LastMessage>`select m.msisdn, max(m.message_id)::text as "lastId" from ${source} m where ${isWanted} group by m.msisdn`;

const readMessages = {
  written: (source: Fragment) =>
    lastOf(source, sql`m.send_status in (${sendStatus.Sending}, ${sendStatus.Successful})`),
  delivered: (source: Fragment) => lastOf(source, sql`m.client_status = ${clientStatus.Delivered}`),
};

const readClicks = (source: Fragment, customerId: string): Fragment<LastMessage> =>
  sql<LastMessage>`select m.msisdn, max(m.message_id)::text as "lastId" from ${source} m
    join link_code k on k.customer_id = ${customerId} and k.message_id = m.message_id
    where k.first_click_at is not null group by m.msisdn`;

const listReplied = (
  db: Db,
  { customerId, msisdns }: HistoryQuestion,
  sinceMs: number,
): Promise<{ msisdn: string; at: Date }[]> =>
  many(
    db,
    sql`select msisdn, max(last_at) as at from conversation where customer_id = ${customerId}
        and msisdn = any(${msisdns}::text[]) and last_at >= ${new Date(sinceMs)} group by msisdn`,
  );
