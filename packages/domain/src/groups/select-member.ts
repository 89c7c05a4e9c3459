/** Whether a member of a group fits the conditions of a dynamic group. */
import type { GroupCondition, GroupSelection, HistoryField } from '@pahatid/contract';

const DAY_MS = 86_400_000;

export interface MemberFacts {
  /** By name in lower case; values that the member's group does not have are left out. */
  readonly values: ReadonlyMap<string, string>;
  readonly rangeHolder: string | null;
  /** When each was last so, Unix milliseconds; left out: not within the days that any condition looks back. */
  readonly last: Readonly<Partial<Record<HistoryField, number>>>;
}

type ValueCondition = Extract<GroupCondition, { field: 'value' }>;

export const fitsSelection = (
  { match, conditions }: Pick<GroupSelection, 'match' | 'conditions'>,
  member: MemberFacts,
  nowMs: number,
): boolean => {
  const fits = (condition: GroupCondition): boolean => fitsCondition(condition, member, nowMs);
  return match === 'all' ? conditions.every(fits) : conditions.some(fits);
};

function fitsCondition(condition: GroupCondition, member: MemberFacts, nowMs: number): boolean {
  switch (condition.field) {
    case 'value':
      return fitsValue(condition, member.values.get(condition.name.toLowerCase()) ?? '');
    case 'rangeHolder': {
      const holder = member.rangeHolder?.toLowerCase() ?? '';
      const isNamed = condition.holders.some((each) => each.toLowerCase() === holder);
      return isNamed === (condition.operator === 'is');
    }
    default: {
      const lastMs = member.last[condition.field];
      const isWithin = lastMs !== undefined && lastMs >= nowMs - condition.days * DAY_MS;
      return isWithin === (condition.operator === 'within');
    }
  }
}

function fitsValue({ operator, value: written }: ValueCondition, stored: string): boolean {
  const value = stored.trim().toLowerCase();
  const wanted = written.trim().toLowerCase();
  switch (operator) {
    case 'is':
      return value === wanted;
    case 'isNot':
      return value !== wanted;
    case 'contains':
      return value.includes(wanted);
    case 'startsWith':
      return value.startsWith(wanted);
    case 'isEmpty':
      return value === '';
    case 'isNotEmpty':
      return value !== '';
    case 'above':
      return readNumber(value) > Number(wanted);
    case 'below':
      return readNumber(value) < Number(wanted);
  }
}

/** `1,250.50` as spreadsheets write it; what is no number fits neither above nor below. */
function readNumber(value: string): number {
  const plain = value.replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  return /^[+-]?\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
}

/** Fields whose history the conditions ask for, with the longest look back of each, in days. */
export const daysLookedBack = (conditions: readonly GroupCondition[]): ReadonlyMap<HistoryField, number> => {
  const days = new Map<HistoryField, number>();
  for (const condition of conditions)
    if ('days' in condition) days.set(condition.field, Math.max(condition.days, days.get(condition.field) ?? 0));
  return days;
};
