import { type TaskDetail, TaskStatus } from '@pahatid/contract';
import { useMay } from '../../lib/api/session.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { joinSentences } from '../../lib/i18n/sentences.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Bdi } from '../../ui/data/text.tsx';
import { Note } from '../../ui/page/page.tsx';
import { forecastTaskEnd } from './forecast.ts';
import { countTask } from './task-counts.ts';
import { TaskPanes } from './task-panes.tsx';

/** The large figure, a hundred panes, and the counts next to them. */
export function TaskFigure({ task }: { task: TaskDetail }) {
  const t = useText();
  const mayWrite = useMay('owner', 'member');
  const formats = useFormats();
  const counts = countTask(task);
  const number = (value: number) => <Bdi>{formats.number(value)}</Bdi>;
  const percent = formats.number(task.progress, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return (
    <section className="tasks-figure" aria-label={t('tasks.progress')}>
      <div className="tasks-figure-head">
        <bdi dir="ltr" className="tasks-percent">
          {percent}
          <small>%</small>
        </bdi>
        <span className="small ink-2 grow">
          {t.rich(task.taskStatus === TaskStatus.Terminated ? 'tasks.figure.settled' : 'tasks.figure.handedOver', {
            done: number(counts.settled),
            total: number(counts.total),
          })}
        </span>
        {counts.moving && <TaskRate task={task} remaining={counts.remaining} />}
      </div>
      <TaskPanes task={task} shape="grid" />
      {counts.total > 0 && (
        <p className="tiny ink-3">{t('tasks.panes.one', { count: Math.max(1, Math.round(counts.total / 100)) })}</p>
      )}
      {counts.unconfirmed > 0 && (
        <Note tone="warning">
          {joinSentences([
            t('tasks.unconfirmed', { count: counts.unconfirmed }),
            mayWrite ? t(task.resendableCount > 0 ? 'tasks.unconfirmed.resend' : 'tasks.unconfirmed.wait') : null,
          ])}
        </Note>
      )}
    </section>
  );
}

function TaskRate({ task, remaining }: { task: TaskDetail; remaining: number }) {
  const t = useText();
  const formats = useFormats();
  const { rate } = task;
  const end = forecastTaskEnd(task, remaining, rate, Date.now(), formats.zone);
  return (
    <span className="tasks-rate small">
      <i aria-hidden="true" />
      <span className="ink-2">
        {t.rich('tasks.rate', {
          rate: <Bdi>{formats.number(rate, { maximumFractionDigits: rate < 10 ? 1 : 0 })}</Bdi>,
          b: (chunks) => <b key="rate">{chunks}</b>,
        })}
        {end !== null && ` · ${t('tasks.rate.end', { time: formats.date(end.at, end.style) })}`}
      </span>
    </span>
  );
}
