import type { GroupSelection, GroupSource } from '@pahatid/contract';
import { uuidV7 } from '../ids.ts';
import { saveSelectedCount } from '../queries/dynamic-groups.ts';
import { addMembers, type NewMember } from '../queries/group-members.ts';
import { insertGroup } from '../queries/groups.ts';
import { type Db, run, sql } from '../sql.ts';
import { unique } from './customers.ts';

export interface GroupSpec {
  customerId: string;
  groupName?: string;
  description?: string;
  variableNames?: string[];
  source?: GroupSource;
  /** Of a dynamic group, with as many as it finds. */
  selection?: GroupSelection;
  selectedCount?: number;
  members?: { msisdn: string; variables?: string[]; rangeHolder?: string }[];
  createdBy?: string;
  createdAt?: Date;
}

/** A group with its members, as the calls and jobs that fill groups write them. */
export const buildGroup = async (db: Db, spec: GroupSpec): Promise<string> => {
  const { customerId, members = [], createdAt = new Date() } = spec;
  const groupId = uuidV7(createdAt.getTime());
  await insertGroup(db, {
    groupId,
    customerId,
    groupName: spec.groupName ?? unique('Group'),
    description: spec.description ?? '',
    variableNames: spec.variableNames ?? [],
    source: spec.source ?? (spec.selection === undefined ? 'paste' : 'dynamic'),
    ...(spec.selection !== undefined && { selection: spec.selection }),
    createdBy: spec.createdBy ?? null,
  });
  if (spec.selectedCount !== undefined) await saveSelectedCount(db, customerId, groupId, spec.selectedCount);
  const rows = members.map(
    ({ msisdn, variables = [], rangeHolder = null }): NewMember => ({ msisdn, variables, rangeHolder }),
  );
  for (let from = 0; from < rows.length; from += 1_000) {
    const some = rows.slice(from, from + 1_000);
    await addMembers(db, { customerId, groupId, members: some, overwrite: null, room: some.length });
  }
  await run(
    db,
    sql`update group_member set joined_at = ${createdAt} where customer_id = ${customerId} and group_id = ${groupId}`,
  );
  await run(
    db,
    sql`update message_group set created_at = ${createdAt}, updated_at = ${createdAt} where group_id = ${groupId}`,
  );
  return groupId;
};
