import { type TaskDetail, TaskStatus } from '@pahatid/contract';
import { allowedTaskActions, type UserTaskAction } from '@pahatid/domain';
import { useNavigate } from '@tanstack/react-router';
import { Copy, Link, Pause, Play, Square } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { call, callOnce } from '../../lib/api/call.ts';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import type { SearchParams } from '../../lib/router/query-text.ts';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Button } from '../../ui/base/button.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { ConfirmTask } from './confirm-task.tsx';
import { closedDrawer } from './drawer-view.ts';
import { RetryDialog } from './retry-dialog.tsx';
import { randomKey } from './save-task.ts';

type Asked = 'cancel' | 'delete' | 'terminate' | 'resend' | 'edit';
/** Actions that are one call. */
type Act = 'cancel' | 'pause' | 'resume' | 'terminate' | 'resend';

/** Characters of a task's name. */
const nameLength = 60;

/** The buttons of a task: what its state and the person's role allow; the server decides again. */
export function TaskActions({ task }: { task: TaskDetail }) {
  const t = useText();
  const formats = useFormats();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const { role } = useSession().user;
  const [view, setView] = useSearchParams(['confirm']);
  const [asked, setAsked] = useState<Asked | 'retry' | null>(null);
  const [busy, setBusy] = useState<Act | 'edit' | 'copy' | null>(null);
  const allowed = allowedTaskActions(task, role);
  const mayCopy = useMay('owner', 'member');
  const { taskId } = task;
  const params = { taskId };

  const act = async (name: Act) => {
    await call(`POST /tasks/:taskId/${name}`, { params });
    toast(t(`tasks.did.${name}`));
    await refresh('/tasks', '/session', '/overview');
  };
  const actNow = async (name: Act) => {
    setBusy(name);
    await act(name).catch(toastError);
    setBusy(null);
  };
  /** Editing begins by making the task a draft: until then it could start under the author's hands. */
  const edit = async () => {
    if (task.taskStatus !== TaskStatus.Draft) {
      await call('PATCH /tasks/:taskId', { params, body: {} });
      await refresh('/tasks', '/session', '/overview');
    }
    await navigate({ to: '/bulkMessage/addMessage', search: { draft: taskId } });
  };
  const editNow = async () => {
    setBusy('edit');
    await edit().catch(toastError);
    setBusy(null);
  };
  const remove = async () => {
    await call('DELETE /tasks/:taskId', { params });
    toast(t('tasks.draftDeleted'));
    // Closes the drawer first: refreshing would read the deleted task again.
    await navigate({ to: '.', search: (previous: SearchParams) => ({ ...previous, ...closedDrawer }) } as never);
    await refresh('/tasks', '/overview');
  };
  const retry = async (dealResults: string[]) => {
    await call('POST /tasks/:taskId/retry', { params, body: { dealResults } });
    toast(t('tasks.did.retry'));
    await refresh('/tasks', '/session', '/overview');
  };
  // One key for each look at the task: pressed twice, it makes one copy.
  const [copyKey] = useState(randomKey);
  const copy = async () => {
    setBusy('copy');
    try {
      const taskName = t('taskFigures.copyName', { name: task.taskName }).slice(0, nameLength).trim();
      const made = await callOnce(copyKey)('POST /tasks/:taskId/copy', { params, body: { taskName } });
      toast(
        t(task.mobileFile !== null && made.mobileFile === null ? 'taskFigures.copiedNoFile' : 'taskFigures.copied'),
      );
      await refresh('/tasks', '/overview');
      await navigate({ to: '/bulkMessage/addMessage', search: { draft: made.taskId } });
    } catch (error) {
      toastError(error);
      setBusy(null);
    }
  };
  const copyLink = async () => {
    const link = new URL(`/bulkMessage?open=${encodeURIComponent(taskId)}`, window.location.origin);
    try {
      await navigator.clipboard.writeText(link.href);
      toast(t('ui.copied'));
    } catch {
      toast(t('ui.copyFailed'), 'danger');
    }
  };

  const buttons: [UserTaskAction, ReactNode][] = [
    [
      'confirm',
      <Button key="confirm" variant="primary" onClick={() => setView({ confirm: '1' }, { replace: true })}>
        {t('tasks.act.confirm')}
      </Button>,
    ],
    [
      'edit',
      <Button
        key="edit"
        loading={busy === 'edit'}
        onClick={() => (task.taskStatus === TaskStatus.Confirmed ? setAsked('edit') : void editNow())}
      >
        {t('tasks.act.edit')}
      </Button>,
    ],
    [
      'retry',
      <Button key="retry" onClick={() => setAsked('retry')}>
        {t('tasks.act.retry')}
      </Button>,
    ],
    [
      'resend',
      <Button key="resend" onClick={() => setAsked('resend')}>
        {t('tasks.act.resend')}
      </Button>,
    ],
    [
      'pause',
      <Button key="pause" icon={Pause} loading={busy === 'pause'} onClick={() => void actNow('pause')}>
        {t('tasks.act.pause')}
      </Button>,
    ],
    [
      'resume',
      <Button key="resume" icon={Play} loading={busy === 'resume'} onClick={() => void actNow('resume')}>
        {t('tasks.act.resume')}
      </Button>,
    ],
    [
      'cancel',
      <Button key="cancel" onClick={() => setAsked('cancel')}>
        {t('tasks.act.cancel')}
      </Button>,
    ],
    [
      'terminate',
      <Button key="terminate" variant="danger" icon={Square} onClick={() => setAsked('terminate')}>
        {t('tasks.act.terminate')}
      </Button>,
    ],
    [
      'delete',
      <Button key="delete" variant="danger" onClick={() => setAsked('delete')}>
        {t('tasks.act.delete')}
      </Button>,
    ],
  ];
  const mayEditDraft = allowed.has('delete');
  // A dialog that the address opens waits until the drawer is mounted: of two layers the later one is on top.
  const [stands, setStands] = useState(false);
  useEffect(() => setStands(true), []);

  return (
    <>
      {mayEditDraft && (
        <Button variant="primary" onClick={() => void editNow()}>
          {t('tasks.act.continue')}
        </Button>
      )}
      {buttons.filter(([name]) => allowed.has(name)).map(([, button]) => button)}
      {mayCopy && (
        <Button
          variant="quiet"
          icon={Copy}
          loading={busy === 'copy'}
          aria-label={t('taskFigures.copy')}
          title={t('taskFigures.copy')}
          onClick={() => void copy()}
        />
      )}
      <Button
        variant="quiet"
        icon={Link}
        aria-label={t('ui.share')}
        title={t('ui.share')}
        onClick={() => void copyLink()}
      />
      {stands && view.confirm === '1' && allowed.has('confirm') && (
        <ConfirmTask task={task} onClose={() => setView({ confirm: undefined }, { replace: true })} />
      )}
      {asked === 'retry' && <RetryDialog task={task} onRetry={retry} onClose={() => setAsked(null)} />}
      {asked && asked !== 'retry' && (
        <ConfirmDialog
          danger={!['resend', 'edit'].includes(asked)}
          title={t(`tasks.ask.${asked}.title`, { name: task.taskName })}
          confirmLabel={t(`tasks.ask.${asked}.confirm`)}
          {...(asked === 'cancel' && { dismissLabel: t('tasks.confirm.notYet') })}
          onConfirm={() => (asked === 'delete' ? remove() : asked === 'edit' ? edit() : act(asked))}
          onClose={() => setAsked(null)}
        >
          {t(`tasks.ask.${asked}.text`, {
            waiting: formats.number(Math.max(0, task.totalCount - task.successCount - task.failedCount)),
            resendable: formats.number(task.resendableCount),
          })}
        </ConfirmDialog>
      )}
    </>
  );
}
