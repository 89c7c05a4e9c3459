import { uuidV7 } from '@pahatid/db';
import { type NotifyTaskEnded, notifyTaskEnded } from '../../notices/notify-task-ended.ts';
import { makeLanes, mixedLanes } from '../../process/lanes.ts';
import type { JobList } from '../../sending/job-context.ts';
import { checkNextTask } from './check-next-task.ts';
import { decideAbTests } from './decide-ab-test.ts';
import { endStoppedMessages } from './end-stopped-messages.ts';
import { finishTasks } from './finish-tasks.ts';
import { holdLimited } from './hold-limited-tasks.ts';
import { prepareNextTask } from './prepare-next-task.ts';
import { startDueTasks, stopDisabledTasks } from './start-due-tasks.ts';

export const taskJobs: JobList = ({ context, config, itemTurns }) => {
  const notifyEnd: NotifyTaskEnded = (tx, taskId) => notifyTaskEnded(tx, taskId, config);
  const finishing = itemTurns('finish');
  const deciding = itemTurns('decideAbTests');
  return [
    ...makeLanes(mixedLanes).map((lane) => ({
      name: 'check',
      everyMs: 1_000,
      wakeOn: 'task' as const,
      // Leases name a separate owner for each lane, or one would take another's work for its own.
      step: () => checkNextTask({ ...context, owner: uuidV7() }, notifyEnd, lane),
    })),
    {
      name: 'start',
      everyMs: 1_000,
      wakeOn: 'task',
      wakes: ['prepare'],
      step: () => startDueTasks(context, notifyEnd),
    },
    {
      name: 'prepare',
      // Sooner than a second: the sender must not run dry between two looks.
      everyMs: 250,
      wakeOn: 'task',
      step: () => prepareNextTask(context, { notifyEnd }),
    },
    {
      name: 'decideAbTests',
      everyMs: 2_000,
      wakes: ['start'],
      step: () => decideAbTests(context, config, deciding),
    },
    { name: 'endStopped', everyMs: 500, wakeOn: 'task', step: () => endStoppedMessages(context) },
    { name: 'finish', everyMs: 500, wakeOn: 'task', step: () => finishTasks(context, notifyEnd, finishing) },
    { name: 'stopDisabled', everyMs: 2_000, step: () => stopDisabledTasks(context) },
    { name: 'holdLimited', everyMs: 2_000, step: () => holdLimited(context) },
  ];
};
