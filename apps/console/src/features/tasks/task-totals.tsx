import type { Task } from '@pahatid/contract';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import type { ListData } from '../../ui/table/resource-table-props.ts';
import { TotalsLine } from '../../ui/table/totals-line.tsx';
import { sumTasks } from './task-counts.ts';

/** Recipients and cost of the tasks that are shown; the line says so if the list has further pages. */
export function TaskTotals({ data, cursor }: { data: ListData<Task> | undefined; cursor: string | undefined }) {
  const t = useText();
  const formats = useFormats();
  if (data === undefined) return null;
  const sums = sumTasks(data.items);
  const pair = (label: string, value: string) => <span>{formats.pair(label, value)}</span>;
  return (
    <TotalsLine
      isOfPage={cursor !== undefined || data.nextCursor !== null}
      totals={[
        { key: 'recipients', content: pair(t('tasks.recipients'), formats.number(sums.recipients)) },
        { key: 'accepted', content: pair(t('tasks.successCount'), formats.number(sums.accepted)) },
        { key: 'cost', content: pair(t('tasks.chargedCost'), formats.money(sums.chargedCost)) },
      ]}
    />
  );
}
