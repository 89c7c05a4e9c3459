/** Combined members of groups: union, intersection, or one without the others. */
import type { Combination } from '@pahatid/contract';
import { type Db, type Fragment, many, maybe, one, sql } from '../sql.ts';

export interface Combined {
  members: { msisdn: string; variables: string[] }[];
  /** Members looked at. */
  read: number;
  next: string | null;
}

/**
 * Members of one group after a number that belong to the combination, their values in the order of `names`. Reads
 * `limit` members; returns null if one of the groups is deleted: without it, members would wrongly count as in no other
 * group.
 */
export const readCombined = async (
  db: Db,
  of: {
    customerId: string;
    groupId: string;
    others: readonly string[];
    combination: Combination;
    names: readonly string[];
    after: string;
    limit: number;
  },
): Promise<Combined | null> => {
  const source = await maybe(
    db,
    sql<{ variableNames: string[] }>`select variable_names as "variableNames" from message_group
      where group_id = ${of.groupId} and customer_id = ${of.customerId} and deleted_at is null`,
  );
  if (source === null) return null;
  const inOthers = sql`(select count(*) from group_member o where o.customer_id = m.customer_id and o.msisdn = m.msisdn
      and o.group_id = any(${of.others}::uuid[]))`;
  const belongs: Record<Combination, Fragment<boolean>> = {
    merge: sql<boolean>`true`,
    intersect: sql<boolean>`${inOthers} = ${of.others.length}`,
    subtract: sql<boolean>`${inOthers} = 0`,
  };
  const rows = await many(
    db,
    sql<{ msisdn: string; variables: string[]; belongs: boolean }>`select m.msisdn, m.variables,
        ${belongs[of.combination]} as belongs
      from (select * from group_member where customer_id = ${of.customerId} and group_id = ${of.groupId}
              and msisdn > ${of.after} order by msisdn limit ${of.limit}) m order by m.msisdn`,
  );
  // Members of a deleted group go afterwards: one that is there still was whole when it was read.
  const read = of.combination === 'merge' ? [of.groupId] : [of.groupId, ...of.others];
  if ((await countStanding(db, of.customerId, read)) < read.length) return null;
  const places = of.names.map((name) => source.variableNames.indexOf(name));
  return {
    members: rows
      .filter((row) => row.belongs)
      .map((row) => ({ msisdn: row.msisdn, variables: places.map((place) => row.variables[place] ?? '') })),
    read: rows.length,
    next: rows.length < of.limit ? null : (rows.at(-1)?.msisdn ?? null),
  };
};

const countStanding = async (db: Db, customerId: string, groupIds: readonly string[]): Promise<number> =>
  (
    await one(
      db,
      sql<{ n: number }>`select count(*)::int as n from message_group
        where group_id = any(${groupIds}::uuid[]) and customer_id = ${customerId} and deleted_at is null`,
    )
  ).n;
