import { getCustomerId } from '@pahatid/db';
import { countListedGroups, listGroups } from '@pahatid/db/queries/groups';
import type { Call } from '../../http/call.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import { groupColumns, presentGroup } from './present-group.ts';

export async function listGroupsFor({ query, scope, user, inScope }: Call<'GET /groups'>) {
  const isStaff = user.customerId === null;
  const { name, isReversed } = readOrder('groups', query.sort, '-createTime');
  const readPage = async (cursor: string | undefined, limit: number) => {
    const after = decodeCursor(cursor, name, ['time', 'uuid']) as [string, string] | null;
    const filter = { customerId: getCustomerId(scope), search: query.search };
    const [rows, total] = await inScope(async (tx) => [
      await listGroups(tx, { ...filter, after, isReversed, limit: limit + 1 }),
      await countListedGroups(tx, filter),
    ]);
    const page = toPage(rows, limit, name, (row) => [row.createdKey, row.groupId]);
    return { items: page.rows.map((row) => presentGroup(row, isStaff)), nextCursor: page.nextCursor, total };
  };
  return { fileName: 'groups', columns: groupColumns, readPage };
}
