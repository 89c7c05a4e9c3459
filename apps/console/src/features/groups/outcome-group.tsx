import { type TaskOutcome, TaskStatus, taskOutcomes } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Count } from '../../ui/data/text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { FormDrawer } from '../../ui/form/form-drawer.tsx';
import { Checkbox, TextInput } from '../../ui/form/inputs.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { groupFields } from './group-fields.ts';

/** Tasks that have sent something. */
const sent = [TaskStatus.Sending, TaskStatus.Completed, TaskStatus.Terminated].join(',');

interface Values {
  groupName: string;
  taskId: string | null;
  outcomes: readonly TaskOutcome[];
}

export function OutcomeGroup({ onDone, onClose }: { onDone: (groupId: string) => void; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const tasks = useCall('GET /tasks', { query: { limit: 200, taskStatus: sent } });
  const form = useForm<Values>({
    initial: { groupName: '', taskId: null, outcomes: [] },
    validate: ({ groupName, taskId, outcomes }) => ({
      ...(groupName.trim() === '' && { groupName: t('ui.required.message', { label: t('groups.name') }) }),
      ...(taskId === null && { taskId: t('ui.required.choice', { label: t('groups.fromTask.task') }) }),
      ...(outcomes.length === 0 && { outcomes: t('groups.fromTask.one') }),
    }),
    submit: async ({ groupName, taskId, outcomes }) => {
      const body = { groupName, taskId: taskId ?? '', outcomes: [...outcomes] };
      const made = await call('POST /groups/from-task', { body });
      toast(t('groups.importing'));
      await refresh('/groups');
      onDone(made.groupId);
    },
    codeFields: { ...groupFields, TASK_NOT_FOUND: 'taskId' },
  });
  const { outcomes } = form.values;
  const toggle = (outcome: TaskOutcome, isOn: boolean) =>
    form.set({ outcomes: taskOutcomes.filter((each) => (each === outcome ? isOn : outcomes.includes(each))) });
  return (
    <FormDrawer
      width="narrow"
      title={t('groups.fromTask')}
      form={form}
      saveLabel={t('groups.combine.make')}
      onClose={onClose}
    >
      <Field label={t('groups.fromTask.task')} required {...form.field('taskId')}>
        <Select
          {...form.bind('taskId')}
          loading={tasks.isPending}
          options={(tasks.data?.items ?? []).map((task) => ({
            value: task.taskId,
            label: task.taskName,
            aside: <Count value={task.totalCount} />,
          }))}
        />
      </Field>
      <Field group label={t('groups.fromTask.outcomes')} required {...form.field('outcomes')}>
        <div className="stack">
          {taskOutcomes.map((outcome) => (
            <Checkbox key={outcome} checked={outcomes.includes(outcome)} onChange={(isOn) => toggle(outcome, isOn)}>
              {t(`groups.outcome.${outcome}`)}
            </Checkbox>
          ))}
        </div>
      </Field>
      <Field label={t('groups.name')} required hint={t('groups.name.hint')} {...form.field('groupName')}>
        <TextInput {...form.bind('groupName')} maxLength={30} autoComplete="off" />
      </Field>
    </FormDrawer>
  );
}
