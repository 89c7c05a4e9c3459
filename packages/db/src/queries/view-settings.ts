/** How a user has each list. */
import type { ViewSetting } from '@pahatid/contract';
import { type Db, many, run, sql } from '../sql.ts';

export const listViewSettings = (db: Db, userId: string): Promise<ViewSetting[]> =>
  many(
    db,
    sql<ViewSetting>`select list, density, switched, widths from view_setting where user_id = ${userId} order by list`,
  );

export const setViewSetting = async (
  db: Db,
  { userId, customerId }: { userId: string; customerId: string | null },
  { list, density, switched, widths }: ViewSetting,
): Promise<void> => {
  await run(
    db,
    sql`insert into view_setting (customer_id, user_id, list, density, switched, widths)
        values (${customerId}, ${userId}, ${list}, ${density}, ${switched}, ${JSON.stringify(widths)})
        on conflict (user_id, list) do update set density = excluded.density, switched = excluded.switched,
          widths = excluded.widths`,
  );
};
