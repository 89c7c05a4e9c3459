import { SmsType, type Template } from '@pahatid/contract';
import { countSegments } from '@pahatid/domain';
import { Link } from '@tanstack/react-router';
import { useFormats } from '../../lib/format/formats.ts';
import { ensureTexts } from '../../lib/i18n/text-store.ts';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Mono } from '../../ui/data/text.tsx';
import { lazyPart } from '../../ui/feedback/lazy-part.ts';
import { PartBoundary } from '../../ui/feedback/part-boundary.tsx';
import { DateTimeInput } from '../../ui/form/date-time-input.tsx';
import { Field } from '../../ui/form/field.tsx';
import { FormSection } from '../../ui/form/form-section.tsx';
import { Checkbox, OptionCards, TextInput } from '../../ui/form/inputs.tsx';
import { Select, type SelectOption } from '../../ui/form/select.tsx';
import type { useForm } from '../../ui/form/use-form.ts';
import { Note } from '../../ui/page/page.tsx';
import { auditStatusLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { newAbTest } from './ab-values.ts';
import { FileMapping } from './file-mapping.tsx';
import { chooseQuietHours } from './forecast.ts';
import { GroupChoice } from './group-choice.tsx';
import { PhoneFileInput } from './phone-file.tsx';
import { Takes, TaskForecast } from './task-forecast.tsx';
import { findTemplateObstacle, type TaskValues } from './task-form.ts';
import type { TaskParts } from './use-task-parts.ts';

const SendHours = lazyPart(async () => {
  const [part] = await Promise.all([import('./send-hours.tsx'), ensureTexts('sendHours')]);
  return part;
});

const AbEditor = lazyPart(async () => {
  const [part] = await Promise.all([import('./ab-editor.tsx'), ensureTexts('abTests')]);
  return part;
});

interface SectionProps {
  form: ReturnType<typeof useForm<TaskValues>>;
  parts: TaskParts;
}

/** 1: the sender ID, and the kind of message. */
export function TaskSection({ form, parts }: SectionProps) {
  const t = useText();
  const { values } = form;
  const chooseType = (smsType: SmsType) => {
    const chosen = parts.templates.items.find(({ templateId }) => templateId === values.templateId);
    form.set({ smsType, ...(chosen?.smsType !== smsType && { templateId: null }) });
  };
  return (
    <FormSection step={1} title={t('tasks.section.task')} fact={t('tasks.section.task.fact')}>
      <div className="form-grid">
        <Field label={t('tasks.application')} required {...form.field('appId')}>
          <Select
            {...form.bind('appId')}
            loading={parts.applications.loading}
            options={parts.applications.items.map((app) => ({
              value: app.appId,
              label: app.appName,
              aside: <Mono>{app.appId}</Mono>,
            }))}
            // Templates and sender IDs are the application's own.
            onChange={(appId) => appId !== values.appId && form.set({ appId, templateId: null, senderId: null })}
          />
        </Field>
        <Field label={t('tasks.name')} required {...form.field('taskName')}>
          <TextInput {...form.bind('taskName')} maxLength={60} autoComplete="off" />
        </Field>
      </div>
      <Field group label={t('tasks.smsType')} required {...form.field('smsType')}>
        <OptionCards
          {...form.bind('smsType')}
          onChange={chooseType}
          options={Object.values(SmsType).map((value) => ({
            value,
            title: t(`tasks.smsType.${value}`),
            note: t(`tasks.smsTypeNote.${value}`),
          }))}
        />
      </Field>
    </FormSection>
  );
}

/** Its text, type and segments; of one that does not fit, why. */
function toTemplateOption(template: Template, smsType: SmsType | null, t: Text): SelectOption<string> {
  const { templateId, templateName, content, auditStatus } = template;
  const obstacle = findTemplateObstacle(template, smsType);
  // While a new version waits, another text is sent.
  const isShown = template.version === template.servingVersion || obstacle === 'review';
  const type = t(`tasks.smsType.${template.smsType}`);
  const segments = t('ui.segments', { count: countSegments(content).segments });
  return {
    value: templateId,
    label: templateName,
    disabled: obstacle !== null,
    note: (
      <>
        {isShown && <bdi className="select-note-text">{content}</bdi>}
        {isShown ? `${type} · ${segments}` : type}
      </>
    ),
    aside:
      obstacle === 'type' ? (
        <span className="tag">{type}</span>
      ) : (
        <StatusTag {...auditStatusLooks[auditStatus]!}>{t(`tasks.auditStatus.${auditStatus}`)}</StatusTag>
      ),
  };
}

/** 2: an approved text, and the name it comes from. */
export function MessageSection({ form, parts }: SectionProps) {
  const t = useText();
  const { values } = form;
  const hasApp = values.appId !== null;
  const options = parts.templates.items.map((template) => toTemplateOption(template, values.smsType, t));
  return (
    <FormSection step={2} title={t('tasks.section.message')} fact={t('tasks.section.message.fact')}>
      <div className="form-grid">
        <Field
          label={t('tasks.template')}
          required
          hint={hasApp || form.errorOf('templateId') ? undefined : t('tasks.template.first')}
          aside={
            <Link to="/smsTemplate" search={{ edit: 'new' }}>
              {t('tasks.template.new')}
            </Link>
          }
          {...form.field('templateId')}
        >
          <Select
            {...form.bind('templateId')}
            disabled={!hasApp}
            loading={parts.templates.loading}
            options={options}
            empty={
              <span className="tasks-none">
                {t('tasks.template.none')} <Link to="/smsTemplate">{t('tasks.template.add')}</Link>
              </span>
            }
            onChange={(templateId) => {
              const chosen = parts.templates.items.find((template) => template.templateId === templateId);
              form.set({ templateId, mapping: [], ...(chosen && { smsType: chosen.smsType }) });
            }}
          />
        </Field>
        <Field label={t('tasks.senderId')} required {...form.field('senderId')}>
          <Select
            {...form.bind('senderId')}
            value={parts.senderId}
            disabled={!hasApp}
            loading={parts.senders.loading}
            options={parts.senders.items.map((sender) => ({
              value: sender.senderId,
              label: sender.senderId,
              aside: <span className="tag">{sender.areaCode ?? t('senders.number')}</span>,
            }))}
            empty={
              <span className="tasks-none">
                {t('tasks.sender.none')} <Link to="/sender">{t('tasks.sender.add')}</Link>
              </span>
            }
          />
        </Field>
      </div>
      <Checkbox checked={values.abTest !== null} onChange={(isOn) => form.set({ abTest: isOn ? newAbTest : null })}>
        {t('tasks.abTest')} <span className="ink-3">{t('tasks.abTest.hint')}</span>
      </Checkbox>
      {values.abTest !== null && (
        <PartBoundary>
          <AbEditor
            values={values.abTest}
            templateId={values.templateId}
            smsType={values.smsType}
            parts={parts}
            options={options}
            error={form.errorOf('abTest')}
            onChange={(abTest) => form.set({ abTest })}
          />
        </PartBoundary>
      )}
    </FormSection>
  );
}

/** 3: the phones, and which column fills which variable. */
export function RecipientsSection({ form, parts }: SectionProps) {
  const t = useText();
  const { phones, file, variableCount, mapping, groups, fileRecipients, fileOptedOut } = parts;
  const { groupIds } = form.values;
  const mappingError = form.errorOf('mapping');
  return (
    <FormSection step={3} title={t('tasks.section.recipients')} fact={t('tasks.section.recipients.fact')}>
      {/* An error shown in the box of a refused file is not repeated. */}
      <Field
        label={t('tasks.file')}
        required={groupIds.length === 0}
        optional={groupIds.length > 0}
        error={phones.sending ? undefined : form.errorOf('fileId')}
      >
        <PhoneFileInput phones={phones} recipients={fileRecipients} optedOut={fileOptedOut} />
      </Field>
      {file?.fileStatus === 'success' && !phones.sending && (
        <>
          <FileMapping
            phones={phones}
            file={file}
            variableCount={variableCount}
            mapping={mapping}
            onMapping={(next) => form.set({ mapping: next })}
          />
          {mappingError && <Note tone="danger">{mappingError}</Note>}
        </>
      )}
      <GroupChoice
        groups={groups}
        chosen={groupIds}
        variableCount={variableCount}
        error={form.errorOf('groupIds')}
        onChoose={(next) => form.set({ groupIds: next })}
        onValues={(groupVariables) => form.set({ groupVariables })}
      />
    </FormSection>
  );
}

/** 4: immediately, or at a time with its zone; and the expected end. */
export function WhenSection({ form, parts }: SectionProps) {
  const t = useText();
  const formats = useFormats();
  const { values } = form;
  const { figures } = parts.estimate;
  const start = values.planFlag === 1 && values.planTime ? Date.parse(values.planTime) : Date.now();
  const zone = t('ui.zoned', { zone: formats.zoneName, offset: formats.zoneOffset(new Date(start)) });
  return (
    <FormSection step={4} title={t('tasks.section.when')} fact={t('tasks.section.when.fact', { zone })}>
      <Field group label={t('tasks.scheduled')} {...form.field('planFlag')}>
        <OptionCards
          {...form.bind('planFlag')}
          options={[
            {
              value: 0 as const,
              title: t('tasks.when.now'),
              note: figures?.speed ? (
                <Takes recipients={figures.recipients} speed={figures.speed} />
              ) : (
                t('tasks.when.now.note')
              ),
            },
            { value: 1 as const, title: t('tasks.when.later'), note: t('tasks.when.later.note') },
          ]}
        />
      </Field>
      {values.planFlag === 1 && (
        <Field label={t('tasks.planTime')} required {...form.field('planTime')}>
          <DateTimeInput {...form.bind('planTime')} futureOnly />
        </Field>
      )}
      {values.planFlag === 1 && (
        <PartBoundary>
          <SendHours
            appId={values.appId}
            quietHours={chooseQuietHours(values.smsType, figures, undefined)}
            planTime={values.planTime}
            onPlanTime={(planTime) => form.set({ planTime })}
          />
        </PartBoundary>
      )}
      <Field
        label={t('tasks.latestStart')}
        optional
        hint={t('tasks.latestStart.hint')}
        {...form.field('latestStartTime')}
      >
        <DateTimeInput {...form.bind('latestStartTime')} futureOnly />
      </Field>
      <TaskForecast
        smsType={values.smsType}
        figures={figures}
        planTime={values.planFlag === 1 ? values.planTime : null}
        withoutDuration={values.planFlag === 0}
      />
    </FormSection>
  );
}
