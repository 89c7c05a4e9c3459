import { getCustomerId } from '@pahatid/db';
import { listMembers } from '@pahatid/db/queries/group-members';
import type { FastifyInstance } from 'fastify';
import type { Call } from '../../http/call.ts';
import { decodeCursor, encodeCursor, openCursor, readOrder, sealCursor } from '../../http/cursor.ts';
import { readPhoneFilter } from '../../http/phone-search.ts';
import { seesPhones } from '../../http/phones.ts';
import { mustFindGroup, refuseDynamic } from './find-group.ts';
import { memberColumns, presentGroupMember } from './present-group.ts';

/** Rows read at a time for a csv. Each page of the masked order sorts the whole group: few large ones. */
const csvPages = { byNumber: 1_000, masked: 50_000 };

export async function listGroupMembers(api: FastifyInstance['api'], call: Call<'GET /groups/:groupId/members'>) {
  const { params, query, scope, user, inScope } = call;
  const { secrets } = api.deps;
  const group = await inScope((tx) => mustFindGroup(tx, getCustomerId(scope), params.groupId));
  refuseDynamic(group);
  const phones = await readPhoneFilter(api, call, query.mobileNumber);
  const isMasked = !seesPhones(user.role);
  const { name, isReversed } = readOrder(isMasked ? 'maskedMembers' : 'members', query.sort, 'mobileNumber');
  const readPage = async (cursor: string | undefined, limit: number) => {
    const after = decodeCursor(openCursor(secrets, cursor), name, isMasked ? ['time', 'text'] : ['text']);
    const { rows, next } = await inScope((tx) =>
      listMembers(tx, {
        customerId: group.customerId,
        groupId: group.groupId,
        ...phones,
        rangeHolder: query.rangeHolder,
        state: query.state,
        salt: isMasked ? secrets.orderSalt(group.groupId) : null,
        after,
        isReversed,
        limit,
      }),
    );
    const nextCursor = sealCursor(secrets, next === null ? null : encodeCursor(name, next));
    return { items: rows.map((row) => presentGroupMember(row, user)), nextCursor };
  };
  return {
    fileName: group.groupName,
    columns: memberColumns(group.variableNames),
    csvPage: isMasked ? csvPages.masked : csvPages.byNumber,
    readPage,
  };
}
