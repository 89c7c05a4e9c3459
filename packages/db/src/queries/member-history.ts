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

interface HistoryQuestion {
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
  const found = new Map<string, NumberHistory>();
  const note = (field: HistoryField, msisdn: string, ms: number): void => {
    const history = found.get(msisdn) ?? {};
    history[field] = Math.max(ms, history[field] ?? 0);
    found.set(msisdn, history);
  };
  for (const row of await listLastMessages(db, question))
    for (const field of messageFields) if (row[field] !== null) note(field, row.msisdn, messageIdMs(row[field]));
  const repliedMs = question.since.get('replied');
  if (repliedMs !== undefined)
    for (const { msisdn, at } of await listReplied(db, question, repliedMs)) note('replied', msisdn, at.getTime());
  return found;
};

const messageFields = ['written', 'delivered', 'clicked'] as const;

type LastMessages = { msisdn: string } & Record<(typeof messageFields)[number], string | null>;
type Source = (question: HistoryQuestion, low: string) => Fragment;

/** Ids of the last messages of each kind, of rows and of blocks, back to the earliest instant that is asked for. */
const listLastMessages = async (db: Db, question: HistoryQuestion): Promise<LastMessages[]> => {
  const { customerId, since } = question;
  const asked = messageFields.flatMap((field) => since.get(field) ?? []);
  if (asked.length === 0) return [];
  const low = messageIdFloor(Math.min(...asked));
  const top = await findArchiveTop(db, [customerId]);
  const rows: LastMessages[] = [];
  for (const source of top !== null && top >= low ? [rowsTo, archivedSince] : [rowsTo])
    rows.push(...(await many(db, lastOf(source(question, String(low)), customerId, since.has('clicked')))));
  return rows;
};

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

const lastOf = (source: Fragment, customerId: string, withClicks: boolean): Fragment<LastMessages> => {
  const isWritten = sql`m.send_status in (${sendStatus.Sending}, ${sendStatus.Successful})`;
  const isClicked = withClicks
    ? sql`exists (select from link_code k where k.customer_id = ${customerId} and k.message_id = m.message_id
        and k.first_click_at is not null)`
    : sql`false`;
  return sql<LastMessages>`select m.msisdn, max(m.message_id) filter (where ${isWritten})::text as written,
      max(m.message_id) filter (where m.client_status = ${clientStatus.Delivered})::text as delivered,
      max(m.message_id) filter (where ${isClicked})::text as clicked
    from ${source} m group by m.msisdn`;
};

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
