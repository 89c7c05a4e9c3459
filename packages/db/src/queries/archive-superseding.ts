/** Failed messages in the archive that a later one repeats: a kind of their block is added for them (decision 144). */
import { type Db, type Fragment, many, run, sql } from '../sql.ts';

interface Chosen {
  /** Place in the block, from 1. */
  n: number;
  /** Place in its kinds, from 1. */
  kind: number;
  kindCount: number;
  sendStatus: number;
  clientStatus: number;
}

/**
 * Marks archived messages as superseded and returns the status of each, as `supersedeMessages` does with rows. Blocks are
 * locked in their order, as those that erase a number lock them.
 */
export const supersedeArchived = async (
  tx: Db,
  customerId: string,
  messageIds: readonly string[],
): Promise<{ sendStatus: number; clientStatus: number }[]> => {
  const blocks = await many(
    tx,
    sql<{ firstId: string }>`select a.first_id::text as "firstId" from (
        select distinct f.first_id from unnest(${messageIds}::bigint[]) as k(message_id) cross join lateral (
          select first_id, last_id from message_archive
          where customer_id = ${customerId} and first_id <= k.message_id order by first_id desc limit 1) f
        where f.last_id >= k.message_id) b
      join message_archive a on a.customer_id = ${customerId} and a.first_id = b.first_id
      order by a.first_id for update of a`,
  );
  const marked: Chosen[] = [];
  for (const { firstId } of blocks) {
    const isBlock = sql`a.customer_id = ${customerId} and a.first_id = ${firstId}::bigint`;
    const chosen = await many(
      tx,
      sql<Chosen>`select u.n::int as n, u.kind::int as kind, jsonb_array_length(a.kinds) as "kindCount",
          (k.kind ->> 'send_status')::int as "sendStatus", (k.kind ->> 'client_status')::int as "clientStatus"
        from message_archive a cross join lateral unnest(a.offsets, a.kind) with ordinality u(id, kind, n)
        cross join lateral (select a.kinds -> (u.kind - 1) as kind) k
        where ${isBlock} and a.first_id + u.id = any(${messageIds}::bigint[]) and not (k.kind ->> 'superseded')::boolean`,
    );
    if (chosen.length > 0) await addKinds(tx, isBlock, chosen);
    marked.push(...chosen);
  }
  return marked.map(({ sendStatus, clientStatus }) => ({ sendStatus, clientStatus }));
};

const addKinds = async (tx: Db, isBlock: Fragment, chosen: readonly Chosen[]): Promise<void> => {
  const before = [...new Set(chosen.map(({ kind }) => kind))];
  const after = chosen.map(({ kind, kindCount }) => kindCount + before.indexOf(kind) + 1);
  await run(
    tx,
    sql`update message_archive a set
          kinds = a.kinds || (select jsonb_agg((a.kinds -> (b.kind - 1)) || '{"superseded": true}' order by b.n)
            from unnest(${before}::int[]) with ordinality b(kind, n)),
          kind = (select array_agg(coalesce(c.kind, u.kind)::smallint order by u.n)
            from unnest(a.kind) with ordinality u(kind, n)
            left join unnest(${chosen.map(({ n }) => n)}::int[], ${after}::int[]) as c(n, kind) on c.n = u.n)
        where ${isBlock}`,
  );
};
