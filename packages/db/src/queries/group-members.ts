/**
 * Members of message groups. Pages follow the number, which is the key, or for roles that see masked numbers the minute of
 * joining and a salted hash: the rank by number would narrow the hidden digits. Whether a member has opted out is read from the
 * current list of opt-outs, and its last message from rows and the archive, so neither can be out of date.
 */
import { DealResult } from '@pahatid/domain';
import { textArray } from '../array-literal.ts';
import { pageBy } from '../keyset.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
import { addToMemberCount } from './groups.ts';
import { findArchiveTop, lastArchivedTo } from './message-archive.ts';
import { endsWith } from './shown-messages.ts';

export interface MemberRow {
  msisdn: string;
  variables: string[];
  rangeHolder: string | null;
  joinedAt: Date;
  isOptedOut: boolean;
  lastId: string | null;
  lastSendStatus: number | null;
  lastClientStatus: number | null;
  lastResult: string | null;
  lastSentAt: Date | null;
  orderKey: string[];
}

export interface MemberFilter {
  customerId: string;
  groupId: string;
  msisdnPrefix?: string | undefined;
  msisdnSuffix?: string | undefined;
  rangeHolder?: string | undefined;
  state?: 'active' | 'optedOut' | 'invalid' | undefined;
  /** Salt of the order for masked roles; null: by number. */
  salt: string | null;
  /** `orderKey` of the last row seen. */
  after: readonly string[] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

interface MemberOrder {
  columns: Parameters<typeof pageBy>[0];
  key: Fragment;
}

const byNumber: MemberOrder = {
  columns: [[sql`m.msisdn`, 'text']],
  key: sql`array[m.msisdn]`,
};

/** Not by the instant of joining: the numbers of a sorted file or of another group join in their order. */
const bySalt = (salt: string): MemberOrder => {
  const minute = sql`date_trunc('minute', m.joined_at)`;
  const hash = sql`md5(${salt}::text || m.msisdn)`;
  return {
    columns: [
      [minute, 'timestamptz'],
      [hash, 'text'],
    ],
    key: sql`array[${minute}::text, ${hash}]`,
  };
};

/** Members looked at for one page of the few that no carrier knows. */
const lookedAtOnce = 5_000;

/** The carrier reported for the last message that the number does not exist. */
const isInvalid = sql`coalesce(l.deal_result = ${DealResult.RefusedDestination}, false)`;

/**
 * Returns rows in their order, and the next position; null: no more rows. A page of members without a
 * valid number scans a bounded number of members, so it may contain fewer than requested.
 */
export const listMembers = async (
  db: Db,
  filter: MemberFilter,
): Promise<{ rows: MemberRow[]; next: readonly string[] | null }> => {
  const { customerId, groupId, state } = filter;
  const order = filter.salt === null ? byNumber : bySalt(filter.salt);
  const { past, orderBy } = pageBy(order.columns, { isDescending: filter.isReversed === true, after: filter.after });
  const conditions: Fragment<unknown>[] = [sql`m.customer_id = ${customerId}`, sql`m.group_id = ${groupId}`, past];
  const prefix = filter.msisdnPrefix;
  if (prefix !== undefined) conditions.push(sql`m.msisdn >= ${prefix}`, sql`m.msisdn <= ${prefix + '9'.repeat(15)}`);
  if (filter.msisdnSuffix !== undefined) conditions.push(endsWith(sql`m.msisdn`, filter.msisdnSuffix));
  if (filter.rangeHolder !== undefined) conditions.push(sql`m.range_holder = ${filter.rangeHolder}`);
  const refusal = sql`select from opt_out o where o.customer_id = ${customerId} and o.msisdn = m.msisdn`;
  if (state === 'optedOut') conditions.push(sql`exists (${refusal})`);
  if (state === 'active') conditions.push(sql`not exists (${refusal})`);
  const looked = state === undefined || state === 'optedOut' ? filter.limit + 1 : lookedAtOnce;
  // Nothing is archived after a newer row, so most pages of a group in use read no block.
  const top = (await findArchiveTop(db, [customerId]))?.toString() ?? null;
  const mayBeArchived = sql`select m.msisdn::bigint from looked m left join newest n on n.msisdn = m.msisdn
    where coalesce(n.message_id, 0) < ${top}::bigint`;
  const rows = await many(
    db,
    sql<MemberRow>`with looked as materialized (
        select m.* from group_member m where ${sql.join(conditions, sql` and `)} order by ${orderBy} limit ${looked}),
      -- offset 0: the rows of each member by its number, whatever the statistics (decision 044)
      newest as materialized (
        select l.* from looked m cross join lateral (
          select msisdn, message_id, send_status, client_status, deal_result, submitted_at from message
          where customer_id = ${customerId} and msisdn = m.msisdn order by message_id desc limit 1 offset 0) l),
      archived as materialized (${lastArchivedTo(customerId, mayBeArchived)})
      select m.msisdn, ${order.key} as "orderKey", m.variables, m.range_holder as "rangeHolder",
        m.joined_at as "joinedAt", exists (${refusal}) as "isOptedOut", l.message_id::text as "lastId",
        l.send_status as "lastSendStatus", l.client_status as "lastClientStatus", l.deal_result as "lastResult",
        l.submitted_at as "lastSentAt"
      from looked m left join (
        select distinct on (msisdn) * from (select * from newest union all select * from archived) b
        order by msisdn, message_id desc) l on l.msisdn = m.msisdn
      where ${state === 'invalid' ? isInvalid : state === 'active' ? sql`not ${isInvalid}` : sql`true`}
      order by ${orderBy} limit ${filter.limit + 1}`,
  );
  const kept = rows.slice(0, filter.limit);
  if (rows.length > filter.limit) return { rows: kept, next: kept.at(-1)?.orderKey ?? null };
  if (looked <= filter.limit + 1) return { rows: kept, next: null };
  // The page is short: either the group ends here, or so many in a row did not pass.
  const last = await maybe(
    db,
    sql<{ key: string[]; n: number }>`select key, n from (
        select ${order.key} as key, row_number() over (order by ${orderBy})::int as n
        from group_member m where ${sql.join(conditions, sql` and `)} order by ${orderBy} limit ${looked}) m
      order by n desc limit 1`,
  );
  return { rows: kept, next: last === null || last.n < looked ? null : last.key };
};

export interface NewMember {
  readonly msisdn: string;
  /** In the order of the group's names. */
  readonly variables: readonly string[];
  readonly rangeHolder: string | null;
}

export interface AddMembers {
  readonly customerId: string;
  readonly groupId: string;
  readonly members: readonly NewMember[];
  /** What an existing member's values are replaced by; left out: it stays as it is. */
  readonly overwrite: readonly number[] | null;
  /** As many new ones find a place. */
  readonly room: number;
}

export interface AddedMembers {
  readonly added: number;
  readonly updated: number;
  /** New ones that found no place. */
  readonly refused: number;
}

/**
 * Adds members of a group that the caller has locked, each number once. `overwrite` names the places (from 1) of the
 * values that replace an existing member's.
 */
export const addMembers = async (tx: Db, add: AddMembers): Promise<AddedMembers> => {
  const members = add.members.length > add.room ? await fitting(tx, add) : add.members;
  const refused = add.members.length - members.length;
  if (members.length === 0) return { added: 0, updated: 0, refused };
  const { overwrite } = add;
  const onConflict =
    overwrite === null || overwrite.length === 0
      ? sql`do nothing`
      : sql`do update set variables = array(
            select case when i = any(${overwrite}::int[]) then coalesce(excluded.variables[i], '')
                        else coalesce(group_member.variables[i], '') end
            from generate_series(1, greatest(cardinality(excluded.variables), cardinality(group_member.variables))) as i
            order by i)`;
  const { added, updated } = await one(
    tx,
    sql<{ added: number; updated: number }>`with made as (
        insert into group_member (customer_id, group_id, msisdn, variables, range_holder, joined_at)
        select ${add.customerId}::uuid, ${add.groupId}::uuid, n.msisdn, n.variables::text[], n.holder, clock_timestamp()
        from unnest(${members.map((each) => each.msisdn)}::text[],
          ${members.map((each) => textArray(each.variables))}::text[],
          ${members.map((each) => each.rangeHolder)}::text[]) as n(msisdn, variables, holder)
        on conflict (customer_id, group_id, msisdn) ${onConflict} returning xmax = 0 as is_new)
      select count(*) filter (where is_new)::int as added, count(*) filter (where not is_new)::int as updated from made`,
  );
  if (added > 0) await addToMemberCount(tx, add.customerId, add.groupId, added);
  return { added, updated, refused };
};

/** Returns existing members, and as many of the others as there is room for. */
const fitting = async (tx: Db, { customerId, groupId, members, room }: AddMembers): Promise<NewMember[]> => {
  const rows = await many(
    tx,
    sql<{ msisdn: string }>`select msisdn from group_member where customer_id = ${customerId} and group_id = ${groupId}
      and msisdn = any(${members.map((each) => each.msisdn)}::text[])`,
  );
  const known = new Set(rows.map((row) => row.msisdn));
  let left = Math.max(0, room);
  return members.filter((each) => {
    if (known.has(each.msisdn)) return true;
    left -= 1;
    return left >= 0;
  });
};

export const removeMembers = async (
  tx: Db,
  customerId: string,
  groupId: string,
  msisdns: readonly string[],
): Promise<number> => {
  const removed = await run(
    tx,
    sql`delete from group_member where customer_id = ${customerId} and group_id = ${groupId}
        and msisdn = any(${msisdns}::text[])`,
  );
  if (removed > 0) await addToMemberCount(tx, customerId, groupId, -removed);
  return removed;
};

export interface AudienceMember {
  msisdn: string;
  variables: string[];
  rangeHolder: string | null;
  joinedAt: Date;
}

const audienceColumns = sql.raw(`msisdn, variables, range_holder as "rangeHolder", joined_at as "joinedAt"`);

/** The first member by number. */
export const findFirstMember = async (
  db: Db,
  of: { customerId: string; groupId: string },
): Promise<AudienceMember | null> =>
  maybe(
    db,
    sql<AudienceMember>`select ${audienceColumns} from group_member
      where customer_id = ${of.customerId} and group_id = ${of.groupId} order by msisdn limit 1`,
  );

/**
 * Opens a cursor over the members of a group, in an order that says nothing about their numbers: messages are listed in
 * it to roles that see masked numbers. `seed`: any number, for one order.
 */
export const openMembers = async (tx: Db, of: { customerId: string; groupId: string; seed: bigint }): Promise<void> => {
  await run(
    tx,
    sql`declare group_members no scroll cursor for select ${audienceColumns} from group_member
      where customer_id = ${of.customerId} and group_id = ${of.groupId}
      order by hashtextextended(msisdn, ${String(of.seed)}::bigint), msisdn`,
  );
};

/** The next members of the open cursor, at most 2,000; none: it is at its end, and closed. */
export const fetchMembers = async (tx: Db): Promise<AudienceMember[]> => {
  const members = await many(tx, sql<AudienceMember>`fetch 2000 from group_members`);
  if (members.length === 0) await run(tx, sql`close group_members`);
  return members;
};

/** Groups that hold a number. */
export const listNumberGroups = async (
  db: Db,
  customerId: string,
  msisdn: string,
): Promise<{ groupId: string; groupName: string; variables: string[]; joinedAt: Date }[]> =>
  many(
    db,
    sql`select g.group_id as "groupId", g.group_name as "groupName", m.variables, m.joined_at as "joinedAt"
        from group_member m join message_group g on g.group_id = m.group_id
        where m.customer_id = ${customerId} and m.msisdn = ${msisdn} order by m.joined_at, g.group_id`,
  );

/** Removes a number from every group; returns from how many. */
export const eraseFromGroups = async (tx: Db, customerId: string, msisdn: string): Promise<number> => {
  // The groups first, as everyone locks them.
  const held = await many(
    tx,
    sql<{
      groupId: string;
    }>`select g.group_id as "groupId" from message_group g where g.customer_id = ${customerId} and g.group_id in (
        select m.group_id from group_member m where m.customer_id = ${customerId} and m.msisdn = ${msisdn})
      order by g.group_id for no key update`,
  );
  let count = 0;
  for (const { groupId } of held) count += await removeMembers(tx, customerId, groupId, [msisdn]);
  return count;
};
