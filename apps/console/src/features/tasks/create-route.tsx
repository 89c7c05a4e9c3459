import { TaskStatus } from '@pahatid/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Button } from '../../ui/base/button.tsx';
import { EmptyState, FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonPage } from '../../ui/feedback/skeleton.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { TaskEditor } from './task-editor.tsx';

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
  // The draft the screen was opened with: saving a new one puts its id into the address, which must not begin anew.
  const [opened] = useState(draft);
  if (!mayWrite)
    return (
      <Page width="form">
        <PageHeader title={t('tasks.create')} />
        <EmptyState title={t('tasks.create.mayNot')} />
      </Page>
    );
  if (opened !== undefined) return <OpenDraft taskId={opened} />;
  return templateId === undefined ? <TaskEditor task={null} /> : <WithTemplate templateId={templateId} />;
}

/** A new task that begins with a template, as its own screen offers it. One that is gone begins nothing. */
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
  // Only what was read now is filled in, and only once: later reads must not overwrite what is being typed.
  if (!task && data && isFetchedAfterMount) setTask(data);
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
