import type { WaitingCounts } from '@pahatid/contract';
import { Link } from '@tanstack/react-router';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { PaneStrip } from '../../ui/panes/panes.tsx';
import './running-dock.css';

type Running = WaitingCounts['running'][number];

const shownPanes = 24;

interface DockProps {
  tasks: readonly Running[];
  /** On a phone one task is shown, in a line. */
  most: number;
}

/** The tasks that are sending, on every screen. */
export default function RunningDock({ tasks, most }: DockProps) {
  const t = useText();
  return (
    <section className="dock" aria-label={t('overview.running')}>
      <h2 className="nav-group dock-title">{t('overview.running')}</h2>
      <ul>
        {tasks.slice(0, most).map((task) => (
          <li key={task.taskId}>
            <RunningTask task={task} />
          </li>
        ))}
      </ul>
      {tasks.length > most && (
        <Link className="dock-all tiny" to="/bulkMessage" search={{ taskStatus: '5' }}>
          {t('overview.running.all')}
        </Link>
      )}
    </section>
  );
}

function RunningTask({ task }: { task: Running }) {
  const t = useText();
  const formats = useFormats();
  const { totalCount: total, successCount, deliveredCount: delivered, undeliveredCount, unknownCount } = task;
  const awaiting = Math.max(0, successCount - delivered - undeliveredCount - unknownCount);
  const failed = task.failedCount + undeliveredCount;
  const left = Math.max(0, total - successCount - task.failedCount - task.unconfirmedCount);
  return (
    <Link className="dock-task" to="/bulkMessage" search={{ open: task.taskId }} title={task.taskName}>
      <bdi className="dock-name">{task.taskName}</bdi>
      <bdi className="dock-share">{formats.percent(Math.floor(task.progress) / 100, 0)}</bdi>
      <PaneStrip
        panes={shownPanes}
        total={total}
        parts={[
          { kind: 'done', count: delivered },
          { kind: 'half', count: awaiting },
          { kind: 'grey', count: unknownCount },
          { kind: 'bad', count: failed },
          { kind: 'held', count: task.unconfirmedCount },
          { kind: 'now', count: Math.min(left, Math.ceil(total / shownPanes)) },
        ]}
        label={t('overview.running.label', { total, delivered, awaiting, failed, left })}
      />
    </Link>
  );
}
