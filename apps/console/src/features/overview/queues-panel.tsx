import type { Traffic } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Count, RelativeTime } from '../../ui/data/text.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { TablePanel } from './table-panel.tsx';

/** What waits for the senders, by lane. */
export function QueuesPanel({ queues }: { queues: Traffic['queues'] }) {
  const t = useText();
  return (
    <TablePanel
      title={t('overview.queues')}
      heads={[
        { key: 'lane', label: t('overview.lane') },
        { key: 'messages', label: t('overview.queue.messages'), end: true },
        { key: 'held', label: t('overview.queue.held'), end: true },
        { key: 'oldest', label: t('overview.oldest'), end: true },
      ]}
      empty={t('overview.queues.none')}
      rows={queues.map(({ lane, messages, held, oldest, isOld }) => ({
        key: String(lane),
        head: t.maybe(`overview.lane.${lane}`) ?? lane,
        cells: [
          <Count key="messages" value={messages} />,
          <Count key="held" value={held} />,
          isOld ? (
            <StatusTag key="oldest" glyph="clock" tone="danger">
              <RelativeTime value={oldest} />
            </StatusTag>
          ) : (
            <RelativeTime key="oldest" value={oldest} />
          ),
        ],
      }))}
    />
  );
}
