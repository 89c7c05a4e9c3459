import type { Group, SmsType } from '@pahatid/contract';
import { mapVariables } from '@pahatid/domain';
import { useCall } from '../../lib/api/use-call.ts';

const staleTime = 30_000;
const marketing: SmsType = 3;

export interface TaskGroups {
  items: readonly Group[];
  loading: boolean;
  /** In the order in which they were chosen. */
  chosen: readonly Group[];
  /** Names of their values. */
  names: readonly string[];
  /** The name that fills {1}, and so on: as selected, else by name and order; '' if none is left. */
  values: readonly string[];
  /** Maximum member count: a number may be in several groups, and in the file. */
  memberCount: number;
  /** What the first member of the first group has for the variables; undefined until it has come. */
  sample: readonly string[] | undefined;
}

/** Returns the groups' values that fill the variables: as selected if it exists, else by name and order. */
export function settleValues(
  chosen: readonly string[],
  names: readonly string[],
  variableCount: number,
): readonly string[] {
  const found = mapVariables(
    names.map((name, index) => ({ index, name })),
    -1,
    variableCount,
  );
  return found.map((index, place) => {
    const own = chosen[place];
    return own !== undefined && names.includes(own) ? own : (names[index ?? -1] ?? '');
  });
}

export function useTaskGroups(
  groupIds: readonly string[],
  groupVariables: readonly string[],
  of: { variableCount: number; smsType: SmsType | null },
): TaskGroups {
  const { data, isLoading } = useCall('GET /groups', { query: { limit: 200 } }, { staleTime });
  const items = data?.items ?? [];
  const chosen = groupIds.flatMap((groupId) => items.find((each) => each.groupId === groupId) ?? []);
  const names = [...new Set(chosen.flatMap((group) => group.variableNames))];
  const [first] = chosen;
  const members = useCall(
    'GET /groups/:groupId/members',
    { params: { groupId: first?.groupId ?? '' }, query: { limit: 1 } },
    { enabled: first !== undefined, staleTime },
  );
  const member = members.data?.items[0];
  const values = settleValues(groupVariables, names, of.variableCount);
  const reachable = (group: Group): number =>
    of.smsType === marketing ? Math.max(0, group.memberCount - group.suppressedCount) : group.memberCount;
  return {
    items,
    loading: isLoading,
    chosen,
    names,
    values,
    sample: first && member && values.map((name) => member.variables[first.variableNames.indexOf(name)] ?? ''),
    memberCount: chosen.reduce((sum, group) => sum + reachable(group), 0),
  };
}
