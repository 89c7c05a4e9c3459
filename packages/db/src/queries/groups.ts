/** Message groups: saved audiences of a customer. Members are in `group-members.ts`. */
import type { GroupSelection, GroupSource } from '@pahatid/contract';
import { pageBy } from '../keyset.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
import { isBeingFilled, variableNamesOf } from './dynamic-groups.ts';
import { ofCustomer } from './real-customers.ts';
import { isVersion, savedBy } from './versions.ts';

export interface GroupRow {
  groupId: string;
  customerId: string;
  customerName: string;
  groupName: string;
  description: string;
  variableNames: string[];
  source: GroupSource;
  selection: GroupSelection | null;
  /** Of a dynamic group, as many as were selected at `countedAt`. */
  memberCount: number;
  countedAt: Date | null;
  suppressedCount: number;
  isImporting: boolean;
  createdBy: string | null;
  version: number;
  createdAt: Date;
  /** Exact, as PostgreSQL writes it: a Date loses microseconds, and a cursor must not. */
  createdKey: string;
  updatedAt: Date;
}

/** Opt-outs are rare, so the query scans the opt-outs, not the members. */
const groupFacts = sql`join customer c on c.customer_id = g.customer_id
  left join app_user u on u.user_id = g.created_by
  left join lateral (
    select count(*)::int as n from opt_out o join group_member m on m.customer_id = o.customer_id and m.msisdn = o.msisdn
    where o.customer_id = g.customer_id and m.customer_id = g.customer_id and m.group_id = g.group_id) s on true`;

const groupColumns = sql`g.group_id as "groupId", g.customer_id as "customerId", c.customer_name as "customerName",
   g.group_name as "groupName", g.description, ${variableNamesOf} as "variableNames", g.source, g.selection,
   coalesce(g.selected_count, g.member_count) as "memberCount", g.counted_at as "countedAt", s.n as "suppressedCount",
   ${isBeingFilled} as "isImporting", u.name as "createdBy", g.version, g.created_at as "createdAt",
   g.created_at::text as "createdKey", g.updated_at as "updatedAt"`;

export interface GroupFilter {
  customerId: string | null;
  search?: string | undefined;
  after: readonly [createdKey: string, groupId: string] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

const matching = ({ customerId, search = '' }: Pick<GroupFilter, 'customerId' | 'search'>): Fragment<unknown>[] => {
  const conditions = [ofCustomer(sql`g.customer_id`, customerId), sql`g.deleted_at is null`];
  if (search !== '') conditions.push(sql`g.group_name ilike ${`%${search.replace(/[\\%_]/g, '\\$&')}%`}`);
  return conditions;
};

export const listGroups = async (db: Db, filter: GroupFilter): Promise<GroupRow[]> => {
  const { past, orderBy } = pageBy(
    [
      [sql`g.created_at`, 'timestamptz'],
      [sql`g.group_id`, 'uuid'],
    ],
    { isDescending: filter.isReversed !== true, after: filter.after },
  );
  const conditions = [...matching(filter), past];
  return many(
    db,
    sql<GroupRow>`select ${groupColumns} from (
        select g.* from message_group g where ${sql.join(conditions, sql` and `)}
        order by ${orderBy} limit ${filter.limit}) g
      ${groupFacts} order by ${orderBy}`,
  );
};

/** Returns the total number in a list; a customer has 500 at most. */
export const countListedGroups = async (
  db: Db,
  filter: Pick<GroupFilter, 'customerId' | 'search'>,
): Promise<number> => {
  const where = sql.join(matching(filter), sql` and `);
  return (await one(db, sql<{ n: number }>`select count(*)::int as n from message_group g where ${where}`)).n;
};

export const findGroup = async (db: Db, customerId: string | null, groupId: string): Promise<GroupRow | null> =>
  maybe(
    db,
    sql<GroupRow>`select ${groupColumns} from message_group g ${groupFacts}
      where g.group_id = ${groupId} and g.deleted_at is null and ${ofCustomer(sql`g.customer_id`, customerId)}`,
  );

export interface LockedGroup {
  groupId: string;
  customerId: string;
  groupName: string;
  description: string;
  variableNames: string[];
  selection: GroupSelection | null;
  memberCount: number;
  version: number;
}

/** Locks a group against all other changes of it and of its members. */
export const lockGroup = async (tx: Db, customerId: string, groupId: string): Promise<LockedGroup | null> =>
  maybe(
    tx,
    sql<LockedGroup>`select group_id as "groupId", customer_id as "customerId", group_name as "groupName", description,
        variable_names as "variableNames", selection, member_count as "memberCount", version
      from message_group where group_id = ${groupId} and customer_id = ${customerId} and deleted_at is null for no key update`,
  );

/** Prevents groups from being deleted until the task that will be sent to them is written. */
export const holdGroups = async (tx: Db, customerId: string, groupIds: readonly string[]): Promise<void> => {
  await run(
    tx,
    sql`select 1 from message_group where customer_id = ${customerId} and group_id = any(${groupIds}::uuid[])
        order by group_id for share`,
  );
};

/** The customer's row is locked, so that two additions can't both be the last one allowed. */
export const countGroups = async (tx: Db, customerId: string): Promise<number> => {
  await run(tx, sql`select 1 from customer where customer_id = ${customerId} for no key update`);
  const { n } = await one(
    tx,
    sql<{
      n: number;
    }>`select count(*)::int as n from message_group where customer_id = ${customerId} and deleted_at is null`,
  );
  return n;
};

export interface NewGroup {
  groupId: string;
  customerId: string;
  groupName: string;
  description: string;
  variableNames: readonly string[];
  source: GroupSource;
  /** Of a dynamic group. */
  selection?: GroupSelection;
  createdBy: string | null;
}

/** Returns false if the customer has another group of that name. */
export const insertGroup = async (tx: Db, group: NewGroup): Promise<boolean> =>
  (await run(
    tx,
    sql`insert into message_group (group_id, customer_id, group_name, description, variable_names, source,
          selection, created_by)
        values (${group.groupId}, ${group.customerId}, ${group.groupName}, ${group.description},
                ${group.variableNames}::text[], ${group.source}, ${group.selection === undefined ? null : JSON.stringify(group.selection)}::jsonb,
                ${group.createdBy})
        on conflict (customer_id, lower(group_name)) where deleted_at is null do nothing`,
  )) === 1;

/** Returns false if another group has the name. */
export const updateGroup = async (
  tx: Db,
  group: {
    groupId: string;
    customerId: string;
    groupName: string;
    description: string;
    variableNames: readonly string[];
    selection: GroupSelection | null;
    seen: number | undefined;
    userId: string | null;
  },
): Promise<boolean> =>
  (await run(
    tx,
    sql`update message_group g set group_name = ${group.groupName}, description = ${group.description},
          variable_names = ${group.variableNames}::text[],
          selection = ${group.selection === null ? null : JSON.stringify(group.selection)}::jsonb, updated_at = clock_timestamp(), ${savedBy(group.userId)}
        where g.group_id = ${group.groupId} and g.customer_id = ${group.customerId} and g.deleted_at is null
          and ${isVersion(group.seen)} and not exists (select from message_group o where o.customer_id = g.customer_id and o.group_id <> g.group_id
                            and lower(o.group_name) = lower(${group.groupName}) and o.deleted_at is null)`,
  )) === 1;

/** Its members go later, some at a time. */
export const deleteGroup = async (tx: Db, customerId: string, groupId: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update message_group set deleted_at = clock_timestamp(), updated_at = clock_timestamp()
        where group_id = ${groupId} and customer_id = ${customerId} and deleted_at is null`,
  )) === 1;

/** Moves the count of members in the transaction that adds or removes them. */
export const addToMemberCount = async (tx: Db, customerId: string, groupId: string, delta: number): Promise<void> => {
  await run(
    tx,
    sql`update message_group set member_count = member_count + ${delta}, updated_at = clock_timestamp()
        where group_id = ${groupId} and customer_id = ${customerId}`,
  );
};

/** Submitted, and not yet being sent: a task counts on its groups. */
const openStatuses = [0, 2, 3, 10];

export const listGroupUsers = async (
  db: Db,
  customerId: string,
  groupId: string,
): Promise<{ taskId: string; taskName: string }[]> =>
  many(
    db,
    sql`select task_id as "taskId", task_name as "taskName" from task where customer_id = ${customerId}
        and task_status = any(${openStatuses}::smallint[]) and ${groupId}::uuid = any(group_ids)
        order by created_at limit 20`,
  );

/**
 * Removes up to `limit` members of a deleted group; returns how many were removed, or null if no group is waiting for
 * it.
 */
export const emptyDeletedGroup = async (tx: Db, limit: number): Promise<number | null> => {
  const row = await maybe(
    tx,
    sql<{
      groupId: string;
      customerId: string;
    }>`select group_id as "groupId", customer_id as "customerId" from message_group
      where deleted_at is not null and emptied_at is null order by deleted_at limit 1 for update skip locked`,
  );
  if (row === null) return null;
  const removed = await run(
    tx,
    sql`delete from group_member where customer_id = ${row.customerId} and group_id = ${row.groupId} and msisdn in (
          select msisdn from group_member where customer_id = ${row.customerId} and group_id = ${row.groupId}
          order by msisdn limit ${limit})`,
  );
  await run(
    tx,
    sql`update message_group set member_count = member_count - ${removed},
          emptied_at = case when ${removed < limit} then clock_timestamp() end where group_id = ${row.groupId}`,
  );
  return removed;
};
