import { type TaskDetail, TaskStatus } from '@pahatid/contract';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { FailureText } from '../../ui/feedback/request-id.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { Note } from '../../ui/page/page.tsx';
import { BlockedLinks } from './blocked-links.tsx';
import { EstimateReceipt, TooLittleText } from './estimate-receipt.tsx';
import { graceSeconds } from './forecast.ts';
import { TaskForecast } from './task-forecast.tsx';

/** The last look before anything is sent: to how many, at what cost, from when. */
export function ConfirmTask({ task, onClose }: { task: TaskDetail; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const formats = useFormats();
  const start = task.planTime ? new Date(task.planTime) : new Date();
  const zone = t('ui.zoned', { zone: formats.zoneName, offset: formats.zoneOffset(start) });
  const { data: figures, error } = useCall('GET /tasks/:taskId/estimate', { params: { taskId: task.taskId } });

  const confirm = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const { taskStatus } = await call('POST /tasks/:taskId/confirm', {
        params: { taskId: task.taskId },
        body: { graceSeconds },
      });
      const waits = taskStatus === TaskStatus.PendingReview;
      toast(t(waits ? 'tasks.did.review' : task.planFlag === 1 ? 'tasks.did.schedule' : 'tasks.did.send'));
      onClose();
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
    await refresh('/tasks', '/session', '/overview');
  };

  return (
    <Dialog
      title={t('tasks.confirm.title', { name: task.taskName })}
      closeOnMask={false}
      onClose={onClose}
      footer={
        <>
          <Button data-autofocus onClick={onClose}>
            {t('tasks.confirm.notYet')}
          </Button>
          <Button variant="primary" filled loading={busy} onClick={() => void confirm()}>
            {t(task.planFlag === 1 ? 'tasks.confirm.schedule' : 'tasks.confirm.send')}
          </Button>
        </>
      }
    >
      <div className="stack tasks-confirm">
        <p>{t('tasks.nothingSent')}</p>
        {figures && <BlockedLinks task={task} figures={figures} />}
        <EstimateReceipt
          estimate={{
            recipients: task.totalCount,
            segments: task.estimatedSegments === null ? null : { segments: task.estimatedSegments, exact: true },
            cost: task.estimatedCost,
            figures,
            problem: error,
          }}
        />
        <p className="small">
          {task.planFlag === 1 && task.planTime
            ? t('tasks.confirm.starts', { time: formats.date(task.planTime), zone })
            : t('tasks.start.in', { seconds: graceSeconds })}
        </p>
        <TaskForecast smsType={task.smsType} figures={figures} planTime={task.planFlag === 1 ? task.planTime : null} />
        {problem !== null && <Note tone="danger">{confirmProblem(problem)}</Note>}
      </div>
    </Dialog>
  );
}

/** Returns a refusal's text; money in amounts. */
export function confirmProblem(error: unknown): ReactNode {
  if (error instanceof ApiError && error.code === 'BALANCE_TOO_LOW')
    return <TooLittleText needed={Number(error.params['needed'])} available={Number(error.params['available'])} />;
  return <FailureText error={error} />;
}
