import { type TaskDetail, TaskStatus } from '@pahatid/contract';
import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Explained } from '../../ui/data/explain.tsx';
import { Bdi } from '../../ui/data/text.tsx';
import { PaneGrid, type PaneKind, PaneLegend, PaneStrip } from '../../ui/panes/panes.tsx';
import { drawerParams } from './drawer-view.ts';
import { findPickedKind, noRecipientFilter, toRecipientFilter } from './recipient-filter.ts';
import { countTask } from './task-counts.ts';
import { panesOf, usePanesLabel } from './task-progress.tsx';

interface TaskPanesProps {
  task: TaskDetail;
  /** The grid leads to the recipients; the strip is above their list, which it narrows. */
  shape: 'grid' | 'strip';
}

/** A task's panes and their legend: each leaves the recipients that it counts. */
export function TaskPanes({ task, shape }: TaskPanesProps) {
  const t = useText();
  const formats = useFormats();
  const panesLabel = usePanesLabel();
  const [view, setView] = useSearchParams(drawerParams);
  const counts = countTask(task);
  // Counters and marks are read a moment apart.
  const inFlight = counts.moving ? Math.min(task.inFlightCount, counts.remaining) : 0;
  const isFilter = shape === 'strip';
  const picked = isFilter ? findPickedKind(view) : undefined;
  const pick = (kind: PaneKind | null) =>
    setView({ ...(kind === picked ? noRecipientFilter : toRecipientFilter(kind)), tab: 'detail', at: undefined });
  const item = (kind: PaneKind | null, name: string, value: number, label: ReactNode = name) => ({
    kind,
    label,
    value: <Bdi>{formats.number(value)}</Bdi>,
    ...((value > 0 || kind === picked) && {
      pick: {
        name: formats.pair(name, formats.number(value)),
        hint: t('tasks.legend.show'),
        isPressed: isFilter ? kind === picked : undefined,
        onPick: () => pick(kind),
      },
    }),
  });
  const failed = t(task.taskStatus === TaskStatus.Terminated ? 'tasks.legend.notSent' : 'tasks.legend.failed');
  const unknown = t('tasks.legend.unknown');
  const Panes = isFilter ? PaneStrip : PaneGrid;
  return (
    <>
      <Panes parts={panesOf(counts)} total={counts.total} label={panesLabel(counts)} onPick={pick} />
      <PaneLegend
        items={[
          item('done', t('tasks.legend.delivered'), counts.delivered),
          item('half', t('tasks.legend.awaiting'), counts.awaiting),
          item('bad', failed, counts.refused + counts.undelivered),
          ...(counts.unknown > 0
            ? [item('grey', unknown, counts.unknown, <Explained term={unknown} text={t('shell.explain.noReceipt')} />)]
            : []),
          ...(counts.unconfirmed > 0 ? [item('held', t('tasks.legend.unconfirmed'), counts.unconfirmed)] : []),
          ...(counts.moving ? [item('now', t('tasks.legend.now'), inFlight)] : []),
          item(null, t('tasks.legend.waiting'), counts.remaining - inFlight),
        ]}
      />
    </>
  );
}
