import type { CallInput } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { exportColumns } from './record-columns.tsx';
import type { RecordFilterName } from './record-view.ts';

type ExportFilters = NonNullable<CallInput<'POST /exports'>['body']['query']>;

/** Returns a function that exports all records of a query, with the shown columns if they are not the default. */
export function useStartExport(query: Partial<Record<RecordFilterName | 'cursor' | 'test', string>>) {
  const t = useText();
  const refresh = useRefresh();
  return async (shownColumns: readonly string[] | undefined): Promise<void> => {
    const { cursor: _, ...filters } = query;
    const columns = shownColumns && exportColumns(shownColumns);
    // The API validates values typed into the address.
    await call('POST /exports', {
      body: { list: 'records', query: filters as ExportFilters, ...(columns && { columns }) },
    });
    await refresh('/exports');
    toast(t('records.exports.started'), 'info');
  };
}
