import type { TaskDetail, TaskStatus } from '@pahatid/contract';
import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Timeline } from '../../ui/data/pictures.tsx';
import { DateTime } from '../../ui/data/text.tsx';
import { taskStatusLooks } from '../../ui/status/looks.ts';
import type { StatusLook } from '../../ui/status/status-tag.tsx';
import { useReasonText } from './task-status.tsx';

type Entry = TaskDetail['timeline'][number];

/** Looks of what leaves the status alone. */
const actionLooks: Record<string, StatusLook> = {
  pause: { glyph: 'bar', tone: 'warning' },
  resume: { glyph: 'half', tone: 'primary' },
  quietHours: { glyph: 'clock', tone: 'planned' },
  quietHoursOver: { glyph: 'half', tone: 'primary' },
  test: { glyph: 'tick', tone: 'neutral' },
};
const plain: StatusLook = { glyph: 'line', tone: 'neutral' };

/** The status that a task had when it was paused. */
const statusAt = ({ timeline, taskStatus }: TaskDetail, { time }: Entry): TaskStatus =>
  timeline.findLast((each) => each.taskStatus !== null && each.time <= time)?.taskStatus ?? taskStatus;

/** The history of a task as text, newest first. */
export function TaskTimeline({ task }: { task: TaskDetail }) {
  const t = useText();
  const formats = useFormats();
  const reasonText = useReasonText();
  const entries = task.timeline.toSorted((a, b) => b.time.localeCompare(a.time));
  // A time alone means today.
  const days = new Set([Date.now(), ...entries.map(({ time }) => time)].map((time) => formats.date(time, 'date')));

  const title = (entry: Entry): string => {
    const label =
      entry.action === 'pause'
        ? t('tasks.status.paused', { status: t(`tasks.status.${statusAt(task, entry)}`) })
        : (t.maybe(`tasks.event.${entry.action}`) ?? t.maybe(`tasks.status.${entry.taskStatus}`) ?? entry.action);
    return entry.by === null ? label : t('tasks.event.by', { event: label, name: entry.by });
  };
  /** A note is a person's sentence, or a reason's code. */
  const note = (entry: Entry): ReactNode => {
    // Of a retry: the results that were chosen.
    if (entry.note && entry.action === 'retry')
      return entry.note
        .split(', ')
        .map((code) => t.maybe(`deal.${code}`) ?? code)
        .join(' · ');
    if (!entry.note) return null;
    if (entry.action === 'quietHours') return formats.date(entry.note, 'short');
    return /^[A-Z][A-Z_]+$/.test(entry.note) ? reasonText(entry.note) : <bdi>{entry.note}</bdi>;
  };

  if (entries.length === 0) return <p className="small ink-3">{t('tasks.timeline.empty')}</p>;
  return (
    <Timeline
      entries={entries.map((entry, index) => ({
        key: `${entry.time}${entry.action}${index}`,
        look:
          actionLooks[entry.action] ?? (entry.taskStatus === null ? plain : taskStatusLooks[entry.taskStatus]) ?? plain,
        title: title(entry),
        note: note(entry),
        time: <DateTime value={entry.time} style={days.size > 1 ? 'short' : 'time'} />,
      }))}
    />
  );
}
