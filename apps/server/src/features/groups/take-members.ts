/** Members handed over in one call, by a person or by an application: one transaction, the group locked. */
import { groupMemberLimit, type OutputOf, type Routes } from '@pahatid/contract';
import { addMembers } from '@pahatid/db/queries/group-members';
import { lockGroup } from '@pahatid/db/queries/groups';
import type { PoolClient } from 'pg';
import { cleanCell } from '../../files/clean-text.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { readNumbers } from '../../imports/read-numbers.ts';
import type { RoutingTable } from '../../sending/route/routing-table.ts';
import { refuseDynamic } from './find-group.ts';

type Body = OutputOf<Routes['POST /groups/:groupId/members'], 'body'>;
type Taken = OutputOf<Routes['POST /groups/:groupId/members'], 'response'>;

export async function takeMembers(
  tx: PoolClient,
  routing: RoutingTable,
  to: { customerId: string; groupId: string },
  { members, onDuplicate }: Body,
): Promise<Taken> {
  const group = await lockGroup(tx, to.customerId, to.groupId);
  if (group === null) throw new ProblemError('NOT_FOUND');
  refuseDynamic(group);
  const { variableNames: names } = group;
  const given = new Set<string>();
  for (const [index, { variables }] of members.entries())
    for (const name of Object.keys(variables ?? {})) {
      if (!names.includes(name)) throw fieldProblem(`members.${index}.variables`, 'NOT_AN_OPTION', { value: name });
      given.add(name);
    }
  const { valid, rejected, repeatedCount } = readNumbers(members, (each) => each.mobileNumber);
  const { added, updated, refused } = await addMembers(tx, {
    ...to,
    members: valid.map(({ msisdn, from }) => ({
      msisdn,
      variables: names.map((name) =>
        cleanCell(Object.hasOwn(from.variables ?? {}, name) ? (from.variables?.[name] ?? '') : ''),
      ),
      rangeHolder: routing.rangeHolder(msisdn),
    })),
    overwrite: onDuplicate === 'overwrite' ? placesOf(names, given) : null,
    room: groupMemberLimit - group.memberCount,
  });
  if (refused > 0) throw new ProblemError('GROUP_FULL', { limit: groupMemberLimit });
  return {
    addedCount: added,
    updatedCount: updated,
    keptCount: valid.length - added - updated + repeatedCount,
    rejected,
    memberCount: group.memberCount + added,
  };
}

/** Places (from 1) of the values that were given. */
const placesOf = (names: readonly string[], given: ReadonlySet<string>): number[] =>
  names.flatMap((name, index) => (given.has(name) ? [index + 1] : []));
