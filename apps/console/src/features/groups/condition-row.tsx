import { conditionDays } from '@pahatid/contract';
import { X } from 'lucide-react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { NumberInput, TextInput } from '../../ui/form/inputs.tsx';
import { carriers } from '../../ui/form/scope-fields.tsx';
import { Select } from '../../ui/form/select.tsx';
import {
  type ConditionField,
  type ConditionOperator,
  conditionFields,
  type DraftCondition,
  needsValue,
  operatorsOf,
  withField,
} from './selection-draft.ts';

interface ConditionRowProps {
  condition: DraftCondition;
  /** From 1. */
  place: number;
  /** Of the values of the groups that are chosen. */
  names: readonly string[];
  isWrong: boolean;
  onChange: (condition: DraftCondition) => void;
  /** Undefined: the only one. */
  onRemove: (() => void) | undefined;
}

/** Field, operator and value of one condition, in a row where there is room. */
export function ConditionRow({ condition, place, names, isWrong, onChange, onRemove }: ConditionRowProps) {
  const t = useText();
  const fieldText = useFieldText();
  const { field, operator } = condition;
  return (
    <fieldset className="groups-condition">
      <legend className="visually-hidden">{t('groups.dynamic.condition', { place })}</legend>
      <Field className="groups-bare" label={t('groups.dynamic.condition', { place })}>
        <Select<ConditionField>
          value={field}
          options={conditionFields.map((value) => ({ value, label: fieldText(value) }))}
          onChange={(next) => next !== null && onChange(withField(condition, next))}
        />
      </Field>
      {field === 'value' && <ValueName condition={condition} names={names} onChange={onChange} />}
      <Field className="groups-bare" label={t('groups.dynamic.compare')}>
        <Select<ConditionOperator>
          value={operator}
          options={operatorsOf(field).map((value) => ({ value, label: t(`groups.dynamic.${value}`) }))}
          onChange={(next) => next !== null && onChange({ ...condition, operator: next })}
        />
      </Field>
      <Wanted condition={condition} onChange={onChange} />
      {onRemove !== undefined && (
        <Button variant="quiet" icon={X} aria-label={t('groups.dynamic.remove', { place })} onClick={onRemove} />
      )}
      {isWrong && <p className="groups-condition-error small">{t('groups.dynamic.incomplete')}</p>}
    </fieldset>
  );
}

/** What a field is called, also where a condition is only shown. */
export function useFieldText(): (field: ConditionField) => string {
  const t = useText();
  return (field) => (field === 'rangeHolder' ? t('groups.member.rangeHolder') : t(`groups.dynamic.field.${field}`));
}

type PartProps = Pick<ConditionRowProps, 'condition' | 'onChange'>;

function ValueName({ condition, names, onChange }: PartProps & Pick<ConditionRowProps, 'names'>) {
  const t = useText();
  const { name } = condition;
  // A name that no group has any more stays to be seen.
  const offered = name === '' || names.includes(name) ? names : [name, ...names];
  return (
    <Field className="groups-bare" label={t('groups.dynamic.name')}>
      <Select
        value={name === '' ? null : name}
        placeholder={t('groups.dynamic.name')}
        options={offered.map((value) => ({ value, label: value }))}
        onChange={(next) => onChange({ ...condition, name: next ?? '' })}
      />
    </Field>
  );
}

/** What is compared with: nothing, a text, range holders, or days. */
function Wanted({ condition, onChange }: PartProps) {
  const t = useText();
  const { list } = useFormats();
  const { field, operator, value, holders, days } = condition;
  if (field === 'value') {
    if (!needsValue(condition)) return null;
    return (
      <Field className="groups-bare" label={t('groups.dynamic.wanted')}>
        <TextInput
          value={value}
          maxLength={100}
          autoComplete="off"
          inputMode={operator === 'above' || operator === 'below' ? 'decimal' : undefined}
          onChange={(next) => onChange({ ...condition, value: next })}
        />
      </Field>
    );
  }
  if (field === 'rangeHolder') {
    // Several, as software may choose them, stand as one.
    const chosen = holders.join('\n');
    const several = holders.length > 1 ? [{ value: chosen, label: list(holders) }] : [];
    return (
      <Field className="groups-bare" label={t('groups.dynamic.wanted')}>
        <Select
          value={holders.length === 0 ? null : chosen}
          options={[...several, ...carriers]}
          onChange={(next) => onChange({ ...condition, holders: next === null ? [] : next.split('\n') })}
        />
      </Field>
    );
  }
  return (
    <div className="row groups-days">
      <Field className="groups-bare" label={t('groups.dynamic.days')}>
        <NumberInput
          value={days}
          min={1}
          max={conditionDays}
          onChange={(next) => onChange({ ...condition, days: next })}
        />
      </Field>
      <span aria-hidden="true">{t('groups.dynamic.days')}</span>
    </div>
  );
}
