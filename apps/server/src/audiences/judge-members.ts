/** Which members of a group fit the conditions of a dynamic group. */
import type { GroupSelection, HistoryField } from '@pahatid/contract';
import type { SourceGroup } from '@pahatid/db/queries/dynamic-groups';
import type { AudienceMember } from '@pahatid/db/queries/group-members';
import { type NumberHistory, readHistory } from '@pahatid/db/queries/member-history';
import { daysLookedBack, fitsSelection } from '@pahatid/domain';
import type { Pool, PoolClient } from 'pg';

const DAY_MS = 86_400_000;

interface Selecting {
  readonly customerId: string;
  readonly selection: GroupSelection;
  /** The moment that days are counted back from, Unix milliseconds. */
  readonly nowMs: number;
}

/** Returns those that fit, in their order. Reads what these numbers got and did, as far as a condition asks for it. */
export async function judgeMembers(
  db: Pool | PoolClient,
  { customerId, selection, nowMs }: Selecting,
  group: Pick<SourceGroup, 'variableNames'>,
  members: readonly AudienceMember[],
): Promise<AudienceMember[]> {
  const since = new Map<HistoryField, number>();
  for (const [field, days] of daysLookedBack(selection.conditions)) since.set(field, nowMs - days * DAY_MS);
  const msisdns = members.map(({ msisdn }) => msisdn);
  const isAsked = [...since.keys()].some((field) => field !== 'joined');
  const histories: ReadonlyMap<string, NumberHistory> = isAsked
    ? await readHistory(db, { customerId, msisdns, since })
    : new Map();
  const names = group.variableNames.map((name) => name.toLowerCase());
  return members.filter(({ msisdn, variables, rangeHolder, joinedAt }) => {
    const values = new Map(names.map((name, place) => [name, variables[place] ?? '']));
    const last = { ...histories.get(msisdn), joined: joinedAt.getTime() };
    return fitsSelection(selection, { values, rangeHolder, last }, nowMs);
  });
}
