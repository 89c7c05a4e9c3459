import { type TaskDetail, TaskStatus } from '@pahatid/contract';
import { allowedTaskActions, type UserTaskAction } from '@pahatid/domain';
import { Copy, Link, Pause, Play, Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Button, type ButtonProps } from '../../ui/base/button.tsx';
import { ConfirmTask } from './confirm-task.tsx';
import { TaskQuestion, type TaskQuestionName } from './task-question.tsx';
import { copyTaskLink, useTaskActions } from './use-task-actions.ts';

type ButtonAction = Extract<UserTaskAction, TaskQuestionName | 'confirm' | 'pause' | 'resume'>;

const buttons: readonly { action: ButtonAction; look?: Pick<ButtonProps, 'variant' | 'icon'> }[] = [
  { action: 'confirm', look: { variant: 'primary' } },
  { action: 'edit' },
  { action: 'retry' },
  { action: 'resend' },
  { action: 'pause', look: { icon: Pause } },
  { action: 'resume', look: { icon: Play } },
  { action: 'cancel' },
  { action: 'terminate', look: { variant: 'danger', icon: Square } },
  { action: 'delete', look: { variant: 'danger' } },
];

/** The buttons of a task that its state and the user's role allow; the server decides again. */
export function TaskActions({ task }: { task: TaskDetail }) {
  const t = useText();
  const { role } = useSession().user;
  const [view, setView] = useSearchParams(['confirm']);
  const [question, setQuestion] = useState<TaskQuestionName | null>(null);
  const actions = useTaskActions(task);
  const isMounted = useIsMounted();
  const allowed = allowedTaskActions(task, role);

  const press = (action: ButtonAction) => {
    if (action === 'confirm') setView({ confirm: '1' }, { replace: true });
    else if (action === 'pause' || action === 'resume') void actions.run(action, () => actions.send(action));
    else if (action === 'edit' && task.taskStatus !== TaskStatus.Confirmed) void actions.run('edit', actions.edit);
    else setQuestion(action);
  };

  return (
    <>
      {allowed.has('delete') && (
        <Button variant="primary" onClick={() => void actions.run('edit', actions.edit)}>
          {t('tasks.act.continue')}
        </Button>
      )}
      {buttons
        .filter(({ action }) => allowed.has(action))
        .map(({ action, look }) => (
          <Button key={action} {...look} loading={actions.busy === action} onClick={() => press(action)}>
            {t(`tasks.act.${action}`)}
          </Button>
        ))}
      <CopyButtons task={task} actions={actions} />
      {isMounted && view.confirm === '1' && allowed.has('confirm') && (
        <ConfirmTask task={task} onClose={() => setView({ confirm: undefined }, { replace: true })} />
      )}
      {question && <TaskQuestion task={task} question={question} actions={actions} onClose={() => setQuestion(null)} />}
    </>
  );
}

/** Copies of the task, and of the address at which it opens. */
function CopyButtons({ task, actions }: { task: TaskDetail; actions: ReturnType<typeof useTaskActions> }) {
  const t = useText();
  const mayCopy = useMay('owner', 'member');
  return (
    <>
      {mayCopy && (
        <Button
          variant="quiet"
          icon={Copy}
          loading={actions.busy === 'copy'}
          aria-label={t('taskFigures.copy')}
          title={t('taskFigures.copy')}
          onClick={() => void actions.run('copy', actions.copy)}
        />
      )}
      <Button
        variant="quiet"
        icon={Link}
        aria-label={t('ui.share')}
        title={t('ui.share')}
        onClick={() => void copyTaskLink(task.taskId, t)}
      />
    </>
  );
}

/** A dialog that the address opens waits until the drawer is mounted: of two layers the later one is on top. */
function useIsMounted(): boolean {
  const [isMounted, setIsMounted] = useState(false);
  useEffect(() => setIsMounted(true), []);
  return isMounted;
}
