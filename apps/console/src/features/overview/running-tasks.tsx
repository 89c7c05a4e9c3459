import type { Overview } from '@pahatid/contract';
import { Link } from '@tanstack/react-router';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Bdi } from '../../ui/data/text.tsx';
import { Panel, Section } from '../../ui/page/page.tsx';
import { PaneStrip } from '../../ui/panes/panes.tsx';
import { taskStatusLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { countRecipients, timeLeft } from './shares.ts';

type RunningTask = Overview['running'][number];

/** Tasks that are sending now; their panes light up as receipts arrive. */
export function RunningTasks({ tasks }: { tasks: readonly RunningTask[] }) {
  const t = useText();
  return (
    <Section
      title={t('overview.running')}
      aside={
        <Link className="small" to="/bulkMessage">
          {t('overview.running.all')}
        </Link>
      }
    >
      <Panel flush>
        {tasks.length === 0 ? (
          <p className="overview-nothing small ink-2">{t('overview.running.none')}</p>
        ) : (
          <ul className="overview-running">
            {tasks.map((task) => (
              <li key={task.taskId}>
                <RunningRow task={task} />
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </Section>
  );
}

function RunningRow({ task }: { task: RunningTask }) {
  const t = useText();
  const formats = useFormats();
  const counts = countRecipients(task);
  const moves = task.paused === 0 && counts.left > 0 && task.rate > 0;
  const left = moves ? timeLeft(counts.left, task.rate) : null;
  const facts = [
    task.operator,
    task.senderId ?? task.appName,
    moves && t('overview.running.rate', { rate: formats.number(task.rate, { maximumFractionDigits: 0 }) }),
    left && t(`overview.running.left.${left.unit}`, { count: left.count }),
  ].filter(Boolean);
  return (
    <Link className="overview-task" to="/bulkMessage" search={{ open: task.taskId }}>
      <span className="row overview-task-head">
        <span className="row wrap grow">
          <bdi className="strong overview-task-name">{task.taskName}</bdi>
          <StatusTag {...taskStatusLooks[task.taskStatus]!}>{t(`tasks.status.${task.taskStatus}`)}</StatusTag>
          {task.paused === 1 && <span className="tag is-mango">{t('overview.running.paused')}</span>}
        </span>
        <span className="strong">
          <Bdi>{formats.percent(task.progress / 100)}</Bdi>
        </span>
      </span>
      <PaneStrip
        parts={[
          { kind: 'done', count: counts.delivered },
          { kind: 'half', count: counts.awaiting },
          { kind: 'grey', count: counts.unknown },
          { kind: 'bad', count: counts.failed },
          { kind: 'held', count: counts.unconfirmed },
          { kind: 'now', count: moves ? Math.min(counts.left, Math.ceil(task.totalCount / 80)) : 0 },
        ]}
        total={task.totalCount}
        label={t('overview.running.label', {
          total: task.totalCount,
          delivered: counts.delivered,
          awaiting: counts.awaiting,
          failed: counts.failed,
          left: counts.left,
        })}
      />
      <span className="row small ink-2 overview-task-foot">
        <span className="grow overview-task-facts">{facts.join(' · ')}</span>
        <Bdi>
          {formats.number(counts.settled)} / {formats.number(task.totalCount)}
        </Bdi>
      </span>
    </Link>
  );
}
