import type { TaskDetail } from '@pahatid/contract';
import { Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useMay } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { PaneStrip } from '../../ui/panes/panes.tsx';
import { graceSeconds } from './forecast.ts';
import { TaskForecast } from './task-forecast.tsx';
import { useTaskActions } from './use-task-actions.ts';

/** A confirmed task before it starts: how long it waits, when it would end, and the way back. */
export function StartGrace({ task, until }: { task: TaskDetail; until: string }) {
  const t = useText();
  const mayWrite = useMay('owner', 'member');
  const actions = useTaskActions(task);
  const seconds = useSecondsLeft(until);
  const { data: figures } = useCall('GET /tasks/:taskId/estimate', { params: { taskId: task.taskId } });
  const title = t('tasks.start.in', { seconds });
  return (
    <section className="tasks-start" aria-label={t('tasks.status.3')}>
      <div className="tasks-start-head">
        <span className="grow">
          <strong className="tasks-start-in">{title}</strong>
          <span className="small ink-2">{t('overview.waiting.recipients', { count: task.totalCount })}</span>
        </span>
        {mayWrite && (
          <Button
            icon={Undo2}
            mirrorIcon
            loading={actions.busy === 'takeBack'}
            onClick={() => void actions.run('takeBack', actions.takeBack)}
          >
            {t('tasks.start.takeBack')}
          </Button>
        )}
      </div>
      <PaneStrip
        panes={graceSeconds}
        total={graceSeconds}
        parts={[
          { kind: 'done', count: graceSeconds - seconds },
          { kind: 'now', count: Math.min(1, seconds) },
        ]}
        label={title}
      />
      <TaskForecast smsType={task.smsType} figures={figures} planTime={null} />
    </section>
  );
}

/** Bounded, as the clock of the browser may be wrong. */
function useSecondsLeft(until: string): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.min(graceSeconds, Math.ceil((Date.parse(until) - nowMs) / 1_000)));
}
