import { SmsType, type TaskDetail, TaskStatus } from '@pahatid/contract';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { useSession } from '../../lib/api/session.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { CostReceipt } from '../../ui/data/pictures.tsx';
import { Count, Money } from '../../ui/data/text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { Note } from '../../ui/page/page.tsx';
import { outlookOfQuietHours, roundDuration } from './forecast.ts';
import { useLastTasks } from './use-estimate.ts';

/** The last look before anything is sent: to how many, at what cost, from when. */
export function ConfirmTask({ task, onClose }: { task: TaskDetail; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const { customer } = useSession();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const available = customer ? customer.balance - customer.reserved : 0;
  const after = available - (task.estimatedCost ?? 0);

  const confirm = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const { taskStatus } = await call('POST /tasks/:taskId/confirm', { params: { taskId: task.taskId } });
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
        <CostReceipt
          lines={[
            { key: 'recipients', label: t('tasks.recipients'), value: <Count value={task.totalCount} /> },
            { key: 'segments', label: t('tasks.segments'), value: <Count value={task.estimatedSegments} /> },
            { key: 'price', label: t('tasks.price'), value: <Money value={task.price} /> },
          ]}
          totalLabel={t('tasks.estimatedCost')}
          total={<Money value={task.estimatedCost} />}
          note={
            <span className="row">
              <span className="grow">{t('tasks.balanceAfter')}</span>
              <Money value={after} />
            </span>
          }
        />
        <Schedule task={task} />
        {problem !== null ? (
          <Note tone="danger">{confirmProblem(problem, t)}</Note>
        ) : (
          after < 0 && (
            <Note tone="warning">
              <TooLittle needed={task.estimatedCost ?? 0} available={available} />
            </Note>
          )
        )}
      </div>
    </Dialog>
  );
}

/** A refusal in words; money in amounts. */
export function confirmProblem(error: unknown, t: Text): ReactNode {
  if (error instanceof ApiError && error.code === 'BALANCE_TOO_LOW')
    return <TooLittle needed={Number(error.params['needed'])} available={Number(error.params['available'])} />;
  return errorText(error, t);
}

function TooLittle({ needed, available }: { needed: number; available: number }) {
  const t = useText();
  const formats = useFormats();
  return t('tasks.balanceTooLow', {
    needed: formats.money(needed),
    available: formats.money(available),
    missing: formats.money(Math.max(0, needed - available)),
  });
}

/** When it starts, how long it may take, and what the quiet hours do to it. */
function Schedule({ task }: { task: TaskDetail }) {
  const t = useText();
  const formats = useFormats();
  const { perSecond } = useLastTasks(task.smsType);
  const start = task.planFlag === 1 && task.planTime ? Date.parse(task.planTime) : Date.now();
  const zone = t('ui.zoned', { zone: formats.zoneName, offset: formats.zoneOffset(new Date(start)) });
  const isMarketing = task.smsType === SmsType.Marketing;
  const quiet = isMarketing ? outlookOfQuietHours(start, task.totalCount, perSecond) : null;
  const { unit, count } = roundDuration(perSecond ? task.totalCount / perSecond : 0);
  return (
    <>
      <p className="small">
        {task.planFlag === 1 ? t('tasks.confirm.starts', { time: formats.date(start), zone }) : t('tasks.confirm.now')}
        {perSecond !== null && ` ${t('tasks.confirm.takes', { duration: t(`tasks.duration.${unit}`, { count }) })}`}
      </p>
      {quiet?.kind === 'held' && (
        <Note tone="warning">{t('tasks.quiet.held', { time: formats.date(quiet.resumeAt, 'short'), zone })}</Note>
      )}
      {quiet?.kind === 'paused' && (
        <Note tone="warning">
          {t('tasks.quiet.paused', {
            time: formats.date(quiet.pauseAt, 'short'),
            left: quiet.left,
            resume: formats.date(quiet.resumeAt, 'short'),
          })}
        </Note>
      )}
    </>
  );
}
