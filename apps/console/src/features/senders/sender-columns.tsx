/** What the lists of sender IDs and of numbers have in common. */
import { UseState } from '@pahatid/contract';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { ChoiceFilter } from '../../ui/filters/filters.tsx';
import { useStateLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';

/** The customer, for staff. */
export const operatorColumn = (t: Text): Column<{ operator?: string | undefined }> => ({
  key: 'operator',
  title: t('senders.operator'),
  cell: (row) => row.operator ?? '',
});

export const stateColumn = (t: Text): Column<{ useState: UseState }> => ({
  key: 'useState',
  title: t('senders.useState'),
  cell: (row) => <StatusTag {...useStateLooks[row.useState]!}>{t(`senders.useState.${row.useState}`)}</StatusTag>,
});

interface UseStateFilterProps {
  value: string | undefined;
  onChange: (useState: string | undefined) => void;
}

export function UseStateFilter({ value, onChange }: UseStateFilterProps) {
  const t = useText();
  return (
    <ChoiceFilter
      label={t('senders.useState')}
      options={Object.values(UseState).map((n) => ({ value: String(n), label: t(`senders.useState.${n}`) }))}
      value={value}
      onChange={onChange}
    />
  );
}
