import type { Task } from '@pahatid/contract';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Bdi, Dash } from '../../ui/data/text.tsx';
import { type PanePart, PaneStrip } from '../../ui/panes/panes.tsx';
import { countTask, hasRun, type TaskCounts } from './task-counts.ts';

/** Returns panes in reading order: delivered, awaiting a receipt, failed, unconfirmed, in progress. */
export function panesOf(counts: TaskCounts): PanePart[] {
  return [
    { kind: 'done', count: counts.delivered },
    { kind: 'half', count: counts.awaiting },
    { kind: 'grey', count: counts.unknown },
    { kind: 'bad', count: counts.refused + counts.undelivered },
    { kind: 'held', count: counts.unconfirmed },
    { kind: 'now', count: counts.moving ? Math.min(counts.remaining, Math.ceil(counts.total / 100)) : 0 },
  ];
}

/** Returns the text alternative of a pane figure, with numbers. */
export function usePanesLabel(): (counts: TaskCounts) => string {
  const t = useText();
  return (counts) =>
    t('tasks.panes.label', {
      total: counts.total,
      delivered: counts.delivered,
      awaiting: counts.awaiting,
      failed: counts.refused + counts.undelivered,
      waiting: counts.remaining,
    });
}

/** A task's progress in a row of the list. */
export function TaskProgressCell({ task }: { task: Task }) {
  const t = useText();
  const formats = useFormats();
  const label = usePanesLabel();
  if (!hasRun(task.taskStatus))
    return (
      <span className="tasks-progress-none">
        <Dash />
      </span>
    );
  const counts = countTask(task);
  return (
    <span className="tasks-progress">
      <PaneStrip panes={32} parts={panesOf(counts)} total={counts.total} label={label(counts)} />
      <span className="cell-note">
        <Bdi>{formats.percent(task.progress / 100)}</Bdi>
        {' · '}
        {t.rich('tasks.progress.of', {
          done: <Bdi>{formats.number(counts.settled)}</Bdi>,
          total: <Bdi>{formats.number(counts.total)}</Bdi>,
        })}
      </span>
    </span>
  );
}
