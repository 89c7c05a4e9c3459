/** Conditions of a dynamic group while they are typed. */
import {
  conditionDays,
  type GroupCondition,
  type GroupSelection,
  historyFields,
  historyOperators,
  isUnary,
  valueOperators,
} from '@pahatid/contract';

export type ConditionField = GroupCondition['field'];
export type ConditionOperator = GroupCondition['operator'];

export const conditionFields: readonly ConditionField[] = ['value', 'rangeHolder', ...historyFields];

export interface DraftCondition {
  /** Of this form: rows keep their input when one before them is removed. */
  id: number;
  field: ConditionField;
  operator: ConditionOperator;
  /** Of a value. */
  name: string;
  value: string;
  holders: readonly string[];
  days: number | null;
}

export interface DraftSelection {
  groupIds: readonly string[];
  match: GroupSelection['match'];
  conditions: readonly DraftCondition[];
}

const firstDays = 30;

export const operatorsOf = (field: ConditionField): readonly ConditionOperator[] => {
  if (field === 'value') return valueOperators;
  return field === 'rangeHolder' ? ['is', 'isNot'] : historyOperators;
};

/** A condition of the field, with what it has in common with the one that it replaces. */
export const withField = (before: DraftCondition, field: ConditionField): DraftCondition => {
  const operators = operatorsOf(field);
  return { ...before, field, operator: operators.includes(before.operator) ? before.operator : operators[0]! };
};

export const newCondition = (id: number): DraftCondition => ({
  id,
  field: 'delivered',
  operator: 'within',
  name: '',
  value: '',
  holders: [],
  days: firstDays,
});

export const needsValue = ({ field, operator }: Pick<DraftCondition, 'field' | 'operator'>): boolean =>
  field === 'value' && !isUnary(operator as 'is');

/** Null: something is missing, or is no number where one is needed. */
export function toCondition({ field, operator, name, value, holders, days }: DraftCondition): GroupCondition | null {
  switch (field) {
    case 'value': {
      const condition = { field, name: name.trim(), operator: operator as 'is', value: value.trim() };
      if (condition.name === '') return null;
      if (!needsValue({ field, operator })) return { ...condition, value: '' };
      const isNumber = /^-?\d{1,15}(?:\.\d{1,6})?$/.test(condition.value);
      const needsNumber = operator === 'above' || operator === 'below';
      return condition.value === '' || (needsNumber && !isNumber) ? null : condition;
    }
    case 'rangeHolder':
      return holders.length === 0 ? null : { field, operator: operator as 'is', holders: [...holders] };
    default:
      return days === null || days < 1 || days > conditionDays ? null : { field, operator: operator as 'within', days };
  }
}

/** Null: no group is chosen, or a condition is not complete. */
export function toSelection({ groupIds, match, conditions }: DraftSelection): GroupSelection | null {
  const complete = conditions.map(toCondition).filter((each) => each !== null);
  if (groupIds.length === 0 || complete.length < conditions.length || complete.length === 0) return null;
  return { groupIds: [...groupIds], match, conditions: complete };
}

export const draftOf = (selection: GroupSelection | null): DraftSelection => ({
  groupIds: selection?.groupIds ?? [],
  match: selection?.match ?? 'all',
  conditions: selection?.conditions.map((each, id) => ({ ...newCondition(id), ...each })) ?? [newCondition(0)],
});
