import type { GroupSelection } from '@pahatid/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Count } from '../../ui/data/text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Note } from '../../ui/page/page.tsx';

/** Typing pauses for so long before members are counted. */
const PAUSE_MS = 400;

/** How many members the conditions find, counted while they are typed. Null: they are not complete. */
export function SelectionCount({ selection }: { selection: GroupSelection | null }) {
  const t = useText();
  const { list } = useFormats();
  const settled = useSettled(selection);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['POST /groups/count-selection', settled],
    queryFn: () => call('POST /groups/count-selection', { body: { selection: settled! } }),
    enabled: settled !== null,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  if (selection === null) return <p className="ink-3">{t('groups.dynamic.count.waiting')}</p>;
  if (error) return <FailedState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  return (
    <div className="stack groups-found" aria-busy={isFetching}>
      <div role="status">
        <p className="small ink-3">{t('groups.dynamic.count')}</p>
        <p className="groups-found-count">
          <Count value={data.count} />{' '}
          <span className="small ink-2">{t('groups.dynamic.count.of', { count: data.sourceCount })}</span>
        </p>
        {data.isEstimate && <p className="small">{t('groups.dynamic.count.estimate', { margin: data.margin })}</p>}
        {data.count === 0 && <p className="small">{t('groups.dynamic.count.none')}</p>}
      </div>
      {data.sample.length > 0 && (
        <p className="small ink-2">
          {t('groups.dynamic.sample')} <span className="num">{list(data.sample.slice(0, 3))}</span>
        </p>
      )}
      {data.unknownNames.length > 0 && (
        <Note tone="warning">{t('groups.dynamic.unknown', { names: list(data.unknownNames) })}</Note>
      )}
    </div>
  );
}

/** The value once it has not changed for a while. */
function useSettled(selection: GroupSelection | null): GroupSelection | null {
  const text = JSON.stringify(selection);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as GroupSelection | null;
}
