import type { TaskDetail } from '@pahatid/contract';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { RetryDialog } from './retry-dialog.tsx';
import type { useTaskActions } from './use-task-actions.ts';

/** Actions that are confirmed first. */
export type TaskQuestionName = 'cancel' | 'delete' | 'terminate' | 'resend' | 'edit' | 'retry';

const harmless: readonly TaskQuestionName[] = ['resend', 'edit'];

interface TaskQuestionProps {
  task: TaskDetail;
  question: TaskQuestionName;
  actions: ReturnType<typeof useTaskActions>;
  onClose: () => void;
}

/** The dialog that confirms one action on a task and then runs it. */
export function TaskQuestion({ task, question, actions, onClose }: TaskQuestionProps) {
  const t = useText();
  const formats = useFormats();
  if (question === 'retry') return <RetryDialog task={task} onRetry={actions.retry} onClose={onClose} />;

  const confirm = () => {
    if (question === 'delete') return actions.deleteDraft();
    if (question === 'edit') return actions.edit();
    return actions.send(question);
  };
  return (
    <ConfirmDialog
      danger={!harmless.includes(question)}
      title={t(`tasks.ask.${question}.title`, { name: task.taskName })}
      confirmLabel={t(`tasks.ask.${question}.confirm`)}
      {...(question === 'cancel' && { dismissLabel: t('tasks.confirm.notYet') })}
      onConfirm={confirm}
      onClose={onClose}
    >
      {t(`tasks.ask.${question}.text`, {
        waiting: formats.number(Math.max(0, task.totalCount - task.successCount - task.failedCount)),
        resendable: formats.number(task.resendableCount),
      })}
    </ConfirmDialog>
  );
}
