import { type QuietHours, type Task, type TaskDetail, TaskStatus } from '@pahatid/contract';
import { legalQuietHours } from '@pahatid/domain';
import { useFormats } from '../../lib/format/formats.ts';
import { rejectionText } from '../../lib/i18n/rejection-text.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { taskStatusLooks } from '../../ui/status/looks.ts';
import { type StatusLook, StatusTag } from '../../ui/status/status-tag.tsx';

type Shown = Pick<
  Task,
  | 'taskStatus'
  | 'paused'
  | 'planTime'
  | 'planFlag'
  | 'statusReason'
  | 'quietHours'
  | 'statusNote'
  | 'auditCode'
  | 'progress'
  | 'retryCount'
> &
  Partial<Pick<TaskDetail, 'timeline' | 'expectedTime'>>;

/** Paused is one status on screen: "Sending · paused". */
const pausedLook: StatusLook = { glyph: 'bar', tone: 'warning' };
const isPaused = ({ taskStatus, paused }: Pick<Shown, 'taskStatus' | 'paused'>): boolean =>
  paused === 1 && (taskStatus === TaskStatus.Preparing || taskStatus === TaskStatus.Sending);

/** The specification's label for a status, with its meaning for this task on a second line, or next to a pill. */
export function TaskStatusTag({ task, pill = false }: { task: Shown; pill?: boolean }) {
  const t = useText();
  const statusNote = useStatusNote(task);
  const note = pill && isShownBelow(task) ? null : statusNote;
  const look = isPaused(task) ? pausedLook : taskStatusLooks[task.taskStatus]!;
  const status = t(`tasks.status.${task.taskStatus}`);
  const label = isPaused(task) ? t('tasks.status.paused', { status }) : status;
  if (!pill)
    return (
      <StatusTag {...look} {...(note && { note })}>
        {label}
      </StatusTag>
    );
  return (
    <span className="row wrap">
      <StatusTag {...look} pill>
        {label}
      </StatusTag>
      {note && <span className="small ink-2">{note}</span>}
    </span>
  );
}

/** In the drawer the figure shows the share, and a box the reason, right below and in full. */
const isShownBelow = ({ taskStatus, paused, statusReason }: Shown): boolean =>
  taskStatus === TaskStatus.Failed ||
  taskStatus === TaskStatus.Rejected ||
  (taskStatus === TaskStatus.Sending && paused === 0 && !statusReason);

/** "ready to confirm", "starts 22 Nov, 09:00": null if the label is sufficient. */
function useStatusNote(task: Shown): string | null {
  const t = useText();
  const formats = useFormats();
  const reasonText = useReasonText();
  /** Since when and by which user, if the timeline is known. */
  const pauseNote = ({ timeline = [] }: Shown): string | null => {
    const pause = timeline.findLast(({ action }) => action === 'pause');
    if (pause === undefined) return null;
    const time = formats.date(pause.time, 'short');
    return pause.by === null ? time : t('tasks.note.by', { time, name: pause.by });
  };
  switch (task.taskStatus) {
    case TaskStatus.Confirmed:
      return task.planFlag === 1 && task.planTime && task.statusReason === null
        ? t('tasks.note.starts', { time: formats.date(task.planTime, 'short') })
        : (reasonText(task.statusReason, task.quietHours) ?? t('tasks.note.3'));
    case TaskStatus.Preparing:
    case TaskStatus.Sending:
      if (task.paused === 1) return pauseNote(task);
      if (task.statusReason) return reasonText(task.statusReason, task.quietHours);
      return task.taskStatus === TaskStatus.Sending
        ? t('tasks.note.5', { share: formats.percent(task.progress / 100) })
        : t('tasks.note.4');
    case TaskStatus.Failed:
      return reasonText(task.statusReason);
    case TaskStatus.Rejected:
      return rejectionText(task.auditCode, task.statusNote, t);
    case TaskStatus.PendingReview:
      return task.expectedTime
        ? t('templates.expected', { time: formats.date(task.expectedTime, 'short') })
        : t('tasks.note.10');
    case TaskStatus.Completed:
      return task.retryCount > 0 ? t('tasks.note.retried', { count: task.retryCount }) : null;
    default:
      return t.maybe(`tasks.note.${task.taskStatus}`);
  }
}

/** Returns the text of a reason's code; `quietHours`: the hours in which the customer's marketing waits. */
export function useReasonText(): (code: string | null, quietHours?: QuietHours | null) => string | null {
  const t = useText();
  const formats = useFormats();
  return (code, quietHours) => {
    if (!code) return null;
    const to = formats.clockHour((quietHours ?? legalQuietHours).to);
    return t.maybe(`tasks.reason.${code}`, { to }) ?? t.maybe(`error.${code}`) ?? t('tasks.reason.OTHER', { code });
  };
}
