import { type TaskDetail, TaskStatus } from '@pahatid/contract';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { progressOfCheck, useReadingText } from '../../lib/files/use-reading-text.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Form, FormProblem } from '../../ui/form/field.tsx';
import { useSharedForm } from '../../ui/form/use-shared-form.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { PageHeader } from '../../ui/page/page.tsx';
import { EditorFooter } from './editor-footer.tsx';
import { MessageSection, RecipientsSection, TaskSection, WhenSection } from './editor-sections.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { emptyTask, findTaskProblems, type TaskValues, toTaskBody, valuesOfTask } from './task-form.ts';
import { TaskPreview } from './task-preview.tsx';
import { useReasonText } from './task-status.tsx';
import './tasks.css';
import './editor.css';
import { TestSend } from './test-send.tsx';
import { useTaskDraft } from './use-task-draft.ts';
import { useTaskNames } from './use-task-names.ts';
import { useTaskParts } from './use-task-parts.ts';
import { waitForCheck } from './wait-for-check.ts';

const codeFields = {
  APP_DISABLED: 'appId',
  APP_NOT_FOUND: 'appId',
  TEMPLATE_NOT_FOUND: 'templateId',
  TEMPLATE_NOT_SENDABLE: 'templateId',
  TEMPLATE_TYPE_MISMATCH: 'templateId',
  SENDER_NOT_SENDABLE: 'senderId',
  SENDER_REQUIRED: 'senderId',
  FILE_NOT_FOUND: 'fileId',
  FILE_NOT_USABLE: 'fileId',
  FILE_PROCESSING: 'fileId',
  GROUP_NOT_FOUND: 'groupIds',
  GROUP_BUSY: 'groupIds',
  GROUP_EMPTY: 'groupIds',
  MAPPING_INVALID: 'mapping',
  PLAN_TIME_REQUIRED: 'planTime',
  PLAN_TIME_PAST: 'planTime',
  TASK_TOO_LATE: 'latestStartTime',
  AB_NEEDS_LINK: 'abTest',
} as const;

/** Labels for the error of a required field. */
const labelKeys = {
  taskName: 'tasks.name',
  appId: 'tasks.application',
  smsType: 'tasks.smsType',
  templateId: 'tasks.template',
  senderId: 'tasks.senderId',
  fileId: 'tasks.file',
  groupIds: 'taskGroups.label',
  groupVariables: 'taskGroups.label',
  mapping: 'tasks.file',
  planFlag: 'tasks.scheduled',
  planTime: 'tasks.planTime',
  latestStartTime: 'tasks.latestStart',
  abTest: 'tasks.template',
} as const satisfies Record<keyof TaskValues, string>;

interface TaskEditorProps {
  task: TaskDetail | null;
  /** Initial values of a new one. */
  begin?: Partial<TaskValues>;
  /** Whether the initial values were typed by the user, so they are unsaved. */
  isTyped?: boolean;
}

/** The whole life of one form: filled, stored as a draft, tried on a phone, checked, and handed on to be confirmed. */
export function TaskEditor({ task, begin, isTyped = false }: TaskEditorProps) {
  const t = useText();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const reasonText = useReasonText();
  const [, setView] = useSearchParams(['draft']);
  /** How far the check is; null while none runs. */
  const [checkText, setCheckText] = useState<string | null>(null);
  const checking = checkText !== null;
  const readingText = useReadingText();
  /** Why the check failed; the form stays as it is, to be corrected. */
  const [failure, setFailure] = useState<string | null>(null);
  const [asked, setAsked] = useState(false);
  const [previewing, setPreviewing] = useState(false);
  const [phone, setPhone] = useState('');
  const left = useRef(new AbortController());
  /** Set when the user chose to leave, so that no confirmation is shown. */
  const leaving = useRef(false);
  /** Purpose of the last save: resumed once a conflict is resolved. */
  const saving = useRef<'draft' | 'check'>('draft');
  const names = useTaskNames();

  const [initial] = useState(() => (task ? valuesOfTask(task) : { ...emptyTask, ...begin }));
  const draft = useTaskDraft(task, isTyped ? emptyTask : initial);
  // The parts follow the form, and the form is judged by the parts: they see its values a step apart, before anything is painted.
  const [seen, setSeen] = useState(initial);
  const parts = useTaskParts(seen, (fileId) => form.set({ fileId, mapping: [] }));
  const taskId = draft.taskId ?? '';
  const form = useSharedForm<TaskValues>({
    keep: `task:${draft.taskId ?? 'new'}`,
    initial,
    version: task?.version ?? null,
    read: async () => {
      const stored = await call('GET /tasks/:taskId', { params: { taskId } });
      names.learn(stored);
      return { values: valuesOfTask(stored), version: stored.version };
    },
    labels: names.labels,
    show: (name, stored) => names.text(name, stored, parts),
    retry: (send): unknown => (saving.current === 'draft' ? saveDraft() : send()),
    differs: draft.differs,
    validate: (values) => {
      const found = findTaskProblems(values, { ...parts, uploading: parts.phones.uploading, nowMs: Date.now() });
      // An upload in progress is not an error: submitting the form then asks the user to wait.
      if (found.fileId === 'uploading' || found.fileId === 'processing') delete found.fileId;
      return Object.fromEntries(
        Object.entries(found).map(([name, problem]) => [
          name,
          problem === 'required'
            ? t(name === 'taskName' ? 'ui.required.message' : 'ui.required.choice', {
                label: t(labelKeys[name as keyof TaskValues]),
              })
            : t(problem === 'latestPast' ? 'error.field.NOT_IN_FUTURE' : `tasks.problem.${problem}`),
        ]),
      );
    },
    submit: async (_, version) => {
      if (parts.phones.uploading) toast(t('tasks.problem.uploading'), 'info');
      else if (parts.file?.fileStatus === 'processing') toast(t('tasks.problem.processing'), 'info');
      else await check(version);
    },
    codeFields,
  });
  const { values } = form;
  if (values !== seen) setSeen(values);
  const body = toTaskBody(values, parts);
  const { isDirty } = form;

  useEffect(() => {
    const controller = new AbortController();
    left.current = controller;
    return () => controller.abort();
  }, []);

  const rememberDraft = (id: string, isAnew: boolean) => {
    setView({ draft: id }, { replace: true });
    if (isAnew) toast(t('tasks.draftSavedAnew'));
  };
  const save = async (version: number | null): Promise<string> => {
    const stored = await draft.save(values, body, version, rememberDraft);
    form.saved(stored.version);
    return stored.taskId;
  };

  /** Stores the form; returns null if it was refused, which the form then shows, or the user must choose first. */
  async function store(): Promise<string | null> {
    if (values.taskName.trim() === '') {
      form.showFailure(new ApiError('VALIDATION_FAILED', 400, { errors: [{ field: 'taskName', code: 'REQUIRED' }] }));
      return null;
    }
    try {
      saving.current = 'draft';
      return (await form.guard(() => save(form.version.current))) ?? null;
    } catch (error) {
      form.showFailure(error);
      return null;
    }
  }

  async function saveDraft() {
    const before = draft.taskId;
    const stored = await store();
    // Of a draft that was deleted and stored again, the user is already notified.
    if (stored !== null && (before === null || stored === before)) toast(t('tasks.draftSaved'));
  }

  async function check(version: number | null) {
    setFailure(null);
    saving.current = 'check';
    const taskId = await save(version);
    form.version.current = (await call('POST /tasks/:taskId/submit', { params: { taskId } })).version;
    toast(t(task === null ? 'tasks.created' : 'tasks.edited'));
    setCheckText(t('tasks.checking', { count: parts.estimate.recipients ?? 0 }));
    try {
      const checked = await waitForCheck(taskId, left.current.signal, (progress) =>
        setCheckText(t('tasks.checking.progress', { progress: readingText(progressOfCheck(progress)) })),
      );
      if (checked === null) return;
      await refresh('/tasks', '/overview');
      if (checked.taskStatus === TaskStatus.Failed) {
        setFailure(checked.statusReason);
        return;
      }
      leaving.current = true;
      await navigate({ to: '/bulkMessage', search: { open: taskId, confirm: '1' } });
    } finally {
      setCheckText(null);
    }
  }

  async function remove() {
    if (draft.taskId !== null) await call('DELETE /tasks/:taskId', { params: { taskId: draft.taskId } });
    toast(t('tasks.draftDeleted'));
    leaving.current = true;
    await navigate({ to: '/bulkMessage' });
    await refresh('/tasks', '/overview');
  }

  const busy = draft.busy || form.busy;
  const testNotYet =
    values.appId === null || values.templateId === null || values.smsType === null
      ? t('tasks.test.needsTemplate')
      : parts.variableCount > 0 && parts.file?.fileStatus !== 'success' && values.groupIds.length === 0
        ? t('tasks.test.needsFile')
        : null;
  const preview = (
    <TaskPreview
      content={parts.content}
      senderId={parts.senderId}
      file={parts.file}
      mapping={parts.mapping}
      sample={parts.groups.sample}
      estimate={parts.estimate}
      test={(rowValues) => (
        <TestSend values={rowValues} notYet={testNotYet} phone={phone} onPhone={setPhone} save={store} />
      )}
    />
  );

  return (
    <div className="tasks-editor">
      <div className="tasks-editor-main" inert={checking}>
        <PageHeader title={t(task === null ? 'tasks.create' : 'tasks.edit')} fact={t('tasks.create.fact')} />
        <Form {...form.formProps} onChange={() => setFailure(null)}>
          {form.notices}
          <TaskSection form={form} parts={parts} />
          <MessageSection form={form} parts={parts} />
          <RecipientsSection form={form} parts={parts} />
          <WhenSection form={form} parts={parts} />
          <FormProblem>
            {form.problem ?? (failure && t('tasks.checkFailed', { reason: reasonText(failure) ?? '' }))}
          </FormProblem>
        </Form>
      </div>
      <aside className="tasks-editor-side" aria-label={t('tasks.preview')}>
        {preview}
      </aside>
      <EditorFooter
        draft={draft}
        isDirty={isDirty}
        checkText={checkText}
        busy={busy}
        cost={parts.estimate}
        onPreview={() => setPreviewing(true)}
        onDelete={() => setAsked(true)}
        onSave={() => void saveDraft()}
        onCheck={() => void form.send()}
      />
      {previewing && (
        <Drawer width="narrow" title={t('tasks.preview')} onClose={() => setPreviewing(false)}>
          {preview}
        </Drawer>
      )}
      {asked && (
        <ConfirmDialog
          danger
          title={t('tasks.ask.delete.title', { name: values.taskName })}
          confirmLabel={t('tasks.ask.delete.confirm')}
          onConfirm={remove}
          onClose={() => setAsked(false)}
        >
          {t('tasks.ask.delete.text')}
        </ConfirmDialog>
      )}
      <LeaveGuard isDirty={() => isDirty && !leaving.current} />
    </div>
  );
}
