import type { SendRecord } from '@pahatid/contract';
import { useEffect } from 'react';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import type { ListData } from '../../ui/table/resource-table-props.ts';
import { TotalsLine } from '../../ui/table/totals-line.tsx';

interface RecordTotalsProps {
  /** What the list asks for. */
  query: Partial<Record<string, string>>;
  list: { data: ListData<SendRecord> | undefined; dataUpdatedAt: number };
}

/** Messages, segments and cost of all that the filters leave; of the rows that are shown where counts don't know. */
export function RecordTotals({ query: { cursor: _, ...query }, list }: RecordTotalsProps) {
  const t = useText();
  const formats = useFormats();
  const { data: whole, refetch } = useCall('GET /records/totals', { query }, { enabled: list.dataUpdatedAt > 0 });
  // As new as the rows.
  useEffect(() => {
    if (list.dataUpdatedAt > 0) void refetch({ cancelRefetch: false });
  }, [list.dataUpdatedAt, refetch]);
  if (whole === undefined) return null;
  const pair = (label: string, value: string) => <span>{formats.pair(label, value)}</span>;
  const messages = (count: number) => <span>{t('records.total.messages', { count })}</span>;
  if (whole.messages === null) {
    const rows = list.data?.items ?? [];
    const segments = rows.reduce((sum, { pkgTotal }) => sum + pkgTotal, 0);
    return (
      <TotalsLine
        isOfPage
        totals={[
          { key: 'messages', content: messages(rows.length) },
          { key: 'segments', content: <span>{t('ui.segments', { count: segments })}</span> },
        ]}
      />
    );
  }
  const { chargedSegments, chargedCost } = whole;
  return (
    <TotalsLine
      isOfPage={false}
      totals={[
        { key: 'messages', content: <b>{messages(whole.messages)}</b> },
        ...(chargedSegments === null
          ? []
          : [{ key: 'segments', content: pair(t('tasks.chargedSegments'), formats.number(chargedSegments)) }]),
        ...(chargedCost === null
          ? []
          : [{ key: 'cost', content: pair(t('records.charged'), formats.money(chargedCost)) }]),
      ]}
    />
  );
}
