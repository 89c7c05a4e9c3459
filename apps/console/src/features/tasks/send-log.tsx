import type { TaskDetail } from '@pahatid/contract';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { makeListOrder } from '../../lib/router/list-order.ts';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Count, DateTime } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import { isMoving } from './task-counts.ts';

const rereadMs = 5_000;

/** Messages handed over, by minute. */
export function SendLogTable({ task }: { task: TaskDetail }) {
  const t = useText();
  const [{ at, atSort }, setView] = useSearchParams(['at', 'atSort']);
  const { order, sort } = makeListOrder('GET /tasks/:taskId/log', atSort, (next) =>
    setView({ atSort: next, at: undefined }, { replace: true }),
  );
  const input = { params: { taskId: task.taskId }, query: { limit: 50, cursor: at, sort } };
  const list = useCall('GET /tasks/:taskId/log', input, {
    keepPrevious: true,
    refetchInterval: isMoving(task.taskStatus) ? rereadMs : false,
  });
  return (
    <ResourceTable
      name="task-log"
      label={t('tasks.tab.log')}
      limit={50}
      columns={[
        {
          key: 'sendTime',
          title: t('tasks.sendTime'),
          fixed: true,
          card: 'title',
          cell: (row) => <DateTime value={row.sendTime} />,
        },
        {
          key: 'totalCount',
          title: t('tasks.totalCount'),
          align: 'end',
          cell: (row) => <Count value={row.totalCount} />,
        },
        {
          key: 'successCount',
          title: t('tasks.successCount'),
          align: 'end',
          cell: (row) => <Count value={row.successCount} />,
        },
        {
          key: 'failedCount',
          title: t('tasks.failedCount'),
          align: 'end',
          cell: (row) => <Count value={row.failedCount} />,
        },
      ]}
      rowKey={(row) => row.sendTime}
      list={list}
      order={order}
      cursor={at}
      onCursor={(next) => setView({ at: next })}
      onExport={() => exportCsv('GET /tasks/:taskId/log', input, 'send-log.csv')}
      empty={<EmptyState title={t('tasks.log.empty')}>{t('tasks.log.empty.text')}</EmptyState>}
    />
  );
}
