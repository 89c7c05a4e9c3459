/** How many members a selection finds: exactly where its groups are small, else by a random sample of their numbers. */
import type { GroupSelection, SelectionCount } from '@pahatid/contract';
import { listSourceGroups, type SourceGroup } from '@pahatid/db/queries/dynamic-groups';
import { sampleMembers } from '@pahatid/db/queries/member-history';
import type { Pool, PoolClient } from 'pg';
import { judgeMembers } from './judge-members.ts';

/** Members judged at most, about; with so many a share is known to within 1.4 of 100. */
const JUDGED = 5_000;
const SHOWN = 10;
/** Of the normal distribution, for 95 %. */
const Z = 1.96;

type SelectedMembers = Omit<SelectionCount, 'sample'> & { readonly msisdns: readonly string[] };

export async function countSelection(
  db: Pool | PoolClient,
  of: { customerId: string; selection: GroupSelection },
): Promise<SelectedMembers> {
  const groups = await listSourceGroups(db, of.customerId, of.selection.groupIds);
  const share = shareOf(groups);
  const selecting = { ...of, nowMs: Date.now() };
  const seen = new Set<string>();
  const found = new Set<string>();
  for (const group of groups) {
    const members = await sampleMembers(db, { customerId: of.customerId, groupId: group.groupId, share });
    for (const { msisdn } of members) seen.add(msisdn);
    for (const { msisdn } of await judgeMembers(db, selecting, group, members)) found.add(msisdn);
  }
  const rate = seen.size === 0 ? 0 : found.size / seen.size;
  const deviation = share === 1 ? 0 : share * Math.sqrt(seen.size * rate * (1 - rate));
  return {
    count: found.size * share,
    isEstimate: share > 1,
    margin: Math.ceil(Z * deviation),
    sourceCount: countMembers(groups),
    unknownNames: findUnknownNames(of.selection, groups),
    msisdns: [...found].slice(0, SHOWN),
  };
}

/** One member that a selection finds, of as many as are looked at to count, with the names of its values. */
export async function findSelected(db: Pool | PoolClient, of: { customerId: string; selection: GroupSelection }) {
  const groups = await listSourceGroups(db, of.customerId, of.selection.groupIds);
  const share = shareOf(groups);
  for (const group of groups) {
    const members = await sampleMembers(db, { customerId: of.customerId, groupId: group.groupId, share });
    const [member] = await judgeMembers(db, { ...of, nowMs: Date.now() }, group, members);
    if (member !== undefined) return { member, variableNames: group.variableNames };
  }
  return null;
}

const countMembers = (groups: readonly SourceGroup[]): number =>
  groups.reduce((sum, { memberCount }) => sum + memberCount, 0);

const shareOf = (groups: readonly SourceGroup[]): number => Math.max(1, Math.ceil(countMembers(groups) / JUDGED));

function findUnknownNames({ conditions }: GroupSelection, groups: readonly SourceGroup[]): string[] {
  const known = new Set(groups.flatMap(({ variableNames }) => variableNames.map((name) => name.toLowerCase())));
  const names = conditions.flatMap((each) => (each.field === 'value' ? [each.name] : []));
  return [...new Set(names.filter((name) => !known.has(name.toLowerCase())))];
}
