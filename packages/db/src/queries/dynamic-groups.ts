/** Dynamic groups and the groups that they select from. */
import { type Db, many, maybe, run, sql } from '../sql.ts';

/** Ids of the groups that a dynamic group `g` selects from; of any other group none. */
const sourceIds = sql`array(select jsonb_array_elements_text(g.selection -> 'groupIds'))::uuid[]`;

/** Names of the values of a group `g`; a dynamic one has those of all that it selects from, by name. */
export const variableNamesOf = sql`case when g.selection is null then g.variable_names else coalesce((
     select array_agg(distinct v.name) from message_group s cross join unnest(s.variable_names) as v(name)
     where s.customer_id = g.customer_id and s.group_id = any(${sourceIds})), '{}') end`;

/** Whether a group `g`, or one that it selects from, is just being filled. */
export const isBeingFilled = sql`exists (select from intake i where i.customer_id = g.customer_id and i.state = 'waiting'
     and (i.group_id = g.group_id or i.group_id = any(${sourceIds})))`;

export interface SourceGroup {
  groupId: string;
  groupName: string;
  variableNames: string[];
  memberCount: number;
  isDynamic: boolean;
}

/** Those of the groups that are there, in the order in which they were given. */
export const listSourceGroups = async (
  db: Db,
  customerId: string,
  groupIds: readonly string[],
): Promise<SourceGroup[]> =>
  many(
    db,
    sql`select g.group_id as "groupId", g.group_name as "groupName", g.variable_names as "variableNames",
          g.member_count as "memberCount", g.selection is not null as "isDynamic"
        from message_group g where g.customer_id = ${customerId} and g.group_id = any(${groupIds}::uuid[])
          and g.deleted_at is null order by array_position(${groupIds}::uuid[], g.group_id)`,
  );

/** Returns the name of a dynamic group that selects from the group, or null. */
export const findSelectingGroup = async (db: Db, customerId: string, groupId: string): Promise<string | null> => {
  const row = await maybe(
    db,
    sql<{ groupName: string }>`select group_name as "groupName" from message_group
      where customer_id = ${customerId} and selection -> 'groupIds' ? ${groupId}::text and deleted_at is null
      order by created_at limit 1`,
  );
  return row?.groupName ?? null;
};

export const saveSelectedCount = async (tx: Db, customerId: string, groupId: string, count: number): Promise<void> => {
  await run(
    tx,
    sql`update message_group set selected_count = ${count}, counted_at = ${new Date()}
        where customer_id = ${customerId} and group_id = ${groupId} and selection is not null`,
  );
};
