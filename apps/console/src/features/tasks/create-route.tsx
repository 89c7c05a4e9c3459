import { TaskStatus } from '@pahatid/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { readStoredForm, removeStoredForm, storedFormKey } from '../../lib/stored-forms.ts';
import { Button } from '../../ui/base/button.tsx';
import { EmptyState, FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonPage } from '../../ui/feedback/skeleton.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { TaskEditor } from './task-editor.tsx';
import type { TaskValues } from './task-form.ts';
import { applicationChoice } from './use-task-parts.ts';

/** Statuses from which saving makes a draft again. */
const editable: readonly TaskStatus[] = [
  TaskStatus.Draft,
  TaskStatus.ValidationPassed,
  TaskStatus.Rejected,
  TaskStatus.Failed,
];

export default function CreateScreen() {
  const t = useText();
  const mayWrite = useMay('owner', 'member');
  const [{ draft, templateId }] = useSearchParams(['draft', 'templateId']);
  // The draft the screen was opened with: saving a new one puts its id into the address, which must not restart the
  // form.
  const [opened] = useState(draft);
  if (!mayWrite)
    return (
      <Page width="form">
        <PageHeader title={t('tasks.create')} />
        <EmptyState title={t('tasks.create.mayNot')} />
      </Page>
    );
  if (opened !== undefined) return <OpenDraft taskId={opened} />;
  return templateId === undefined ? <NewTask /> : <WithTemplate templateId={templateId} />;
}

/** A customer with one application has it chosen. */
function NewTask() {
  const { data, error } = useCall('GET /applications', applicationChoice.input, applicationChoice.options);
  if (!data && !error) return <SkeletonPage />;
  const [only, ...others] = data?.items ?? [];
  return only && others.length === 0 ? (
    <TaskEditor task={null} begin={{ appId: only.appId }} />
  ) : (
    <TaskEditor task={null} />
  );
}

/** A new task that starts with a template, as offered on the template's screen. A deleted one is ignored. */
function WithTemplate({ templateId }: { templateId: string }) {
  const { data, error } = useCall('GET /templates/:templateId', { params: { templateId } });
  if (data) {
    const { appId, smsType } = data;
    return <TaskEditor task={null} begin={{ appId, smsType, templateId }} />;
  }
  return error ? <TaskEditor task={null} /> : <SkeletonPage />;
}

function OpenDraft({ taskId }: { taskId: string }) {
  const t = useText();
  const navigate = useNavigate();
  const { data, error, refetch, isFetchedAfterMount } = useCall(
    'GET /tasks/:taskId',
    { params: { taskId } },
    { staleTime: 0 },
  );
  const [task, setTask] = useState<typeof data>();
  // Only a fresh read is filled in, and only once: later reads must not overwrite the user's input.
  if (!task && data && isFetchedAfterMount) setTask(data);
  if (!task && error?.code === 'NOT_FOUND') return <DeletedDraft taskId={taskId} error={error} />;
  if (!task) return error ? <FailedState whole error={error} onRetry={() => void refetch()} /> : <SkeletonPage />;
  if (editable.includes(task.taskStatus)) return <TaskEditor task={task} />;
  return (
    <Page width="form">
      <PageHeader title={task.taskName} />
      <EmptyState
        title={t('tasks.create.notDraft')}
        action={
          <Button onClick={() => void navigate({ to: '/bulkMessage', search: { open: taskId } })}>
            {t('tasks.create.openTask')}
          </Button>
        }
      >
        {t('tasks.create.notDraft.text')}
      </EmptyState>
    </Page>
  );
}

/** The draft was deleted elsewhere: this tab's copy can become a new one. */
function DeletedDraft({ taskId, error }: { taskId: string; error: unknown }) {
  const t = useText();
  const session = useSession();
  const [, setView] = useSearchParams(['draft']);
  const key = storedFormKey(session, `task:${taskId}`);
  const [stored] = useState(() => readStoredForm<TaskValues>(key));
  const [restored, setRestored] = useState(false);
  if (stored === null) return <FailedState whole error={error} />;
  if (restored) return <TaskEditor task={null} begin={stored.values} isTyped />;
  const restore = () => {
    removeStoredForm(key);
    setView({ draft: undefined }, { replace: true });
    setRestored(true);
  };
  return (
    <Page width="form">
      <PageHeader title={t('tasks.draftDeleted.title')} />
      <EmptyState
        title={stored.values.taskName}
        action={
          <Button variant="primary" onClick={restore}>
            {t('tasks.draftDeleted.restore')}
          </Button>
        }
      >
        {t('tasks.draftDeleted.text')}
      </EmptyState>
    </Page>
  );
}
