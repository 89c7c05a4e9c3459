import { AuditStatus, SmsType, type Template, UseState } from '@pahatid/contract';
import {
  applyFixes,
  checkTemplate,
  compileLexicon,
  DEFAULT_UNSUBSCRIBE_KEYWORD,
  hasErrors,
  listVariables,
  makeUnsubscribeLine,
  normalizeContent,
} from '@pahatid/domain';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { findingMarks } from '../../lib/i18n/finding-text.ts';
import { rejectionText } from '../../lib/i18n/rejection-text.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { MarkedTextArea } from '../../ui/data/marked-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { OptionCards, TextInput } from '../../ui/form/inputs.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useSharedForm } from '../../ui/form/use-shared-form.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { LoadingDrawer } from '../../ui/layers/loading-drawer.tsx';
import { Note } from '../../ui/page/page.tsx';
import { LinkMenu } from './link-menu.tsx';
import { splitLastLine } from './split-last-line.ts';
import { TextPreview } from './template-drawer.tsx';
import { TemplateFindings } from './template-findings.tsx';
import './templates.css';

interface TemplateEditorProps {
  /** Null: a new one. */
  templateId: string | null;
  onClose: () => void;
}

/** The add/edit drawer of templates. */
export default function TemplateEditor({ templateId, onClose }: TemplateEditorProps) {
  const t = useText();
  const detail = useCall(
    'GET /templates/:templateId',
    { params: { templateId: templateId ?? '' } },
    { enabled: templateId !== null },
  );
  if (templateId === null) return <EditorForm onClose={onClose} />;
  if (detail.data) return <EditorForm template={detail.data} onClose={onClose} />;
  return <LoadingDrawer title={t('templates.edit')} read={detail} onClose={onClose} />;
}

interface Values {
  templateName: string;
  smsType: SmsType;
  content: string;
  appId: string | null;
}

const valuesOf = (template: Template | undefined): Values => ({
  templateName: template?.templateName ?? '',
  smsType: template?.smsType ?? SmsType.Notification,
  content: template?.content ?? '',
  appId: template?.appId ?? null,
});

function EditorForm({ template, onClose }: { template?: Template; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const applications = useCall('GET /applications', {
    query: { limit: 200, useState: String(UseState.Enabled) },
  });
  const choices = useMemo(
    () =>
      (applications.data?.items ?? []).map(({ appId, appName }) => ({ value: appId, label: appName, aside: appId })),
    [applications.data],
  );
  // What the form was opened with: a later read must not look like a change of the user's.
  const [initial] = useState(() => valuesOf(template));
  const [samples, setSamples] = useState<readonly string[]>([]);
  const required = (label: string) => t('ui.required.message', { label });
  const active = useCall('GET /short-links', { query: { limit: 50, linkState: 'active' } }).data?.items ?? [];
  // A template may wait for review together with its link.
  const pending = useCall('GET /short-links', { query: { limit: 50, linkState: 'pending' } }).data?.items ?? [];
  const links = [...active, ...pending];
  const ownDomain = links[0]?.domain;
  const { data: rules, isPending: isAwaitingRules } = useCall('GET /templates/rules', undefined, { staleTime: 60_000 });
  const lexicon = useMemo(() => rules && compileLexicon(rules.prohibited), [rules]);
  const optOutNumber = rules?.optOutNumber ?? null;
  const judge = useCallback(
    ({ content, smsType }: Values) =>
      checkTemplate(content, smsType, {
        sampleValues: samples,
        optOutNumber,
        ...(lexicon && { lexicon }),
        ...(ownDomain !== undefined && { ownDomain }),
      }),
    [samples, ownDomain, optOutNumber, lexicon],
  );

  const isRevised = (values: Values) =>
    !template || normalizeContent(values.content) !== template.content || values.smsType !== template.smsType;
  const form = useSharedForm<Values>({
    keep: `template:${template?.templateId ?? 'new'}`,
    initial,
    version: template?.editVersion ?? null,
    read: async () => {
      const stored = await call('GET /templates/:templateId', { params: { templateId: template?.templateId ?? '' } });
      return { values: valuesOf(stored), version: stored.editVersion };
    },
    labels: {
      templateName: t('templates.name'),
      smsType: t('templates.type'),
      content: t('templates.content'),
    },
    show: (name, values) => (name === 'smsType' ? t(`templates.type.${values.smsType}`) : values[name]),
    validate: (values) => ({
      ...(values.templateName.trim() === '' && { templateName: required(t('templates.name')) }),
      ...(values.appId === null && { appId: t('ui.required.choice', { label: t('templates.application') }) }),
      ...(values.content.trim() === ''
        ? { content: required(t('templates.content')) }
        : isRevised(values) && hasErrors(judge(values)) && { content: t('error.TEMPLATE_CONTENT_INVALID') }),
    }),
    submit: async ({ appId, ...values }, version) => {
      const body = { ...values, content: normalizeContent(values.content) };
      if (template)
        await call('PATCH /templates/:templateId', {
          params: { templateId: template.templateId },
          body: { ...body, ...(version !== null && { editVersion: version }) },
        });
      else await call('POST /templates', { body: { ...body, appId: appId ?? '' } });
      toast(t(template ? 'templates.edited' : 'templates.added'));
      await refresh('/templates', '/overview');
      onClose();
    },
    codeFields: { TEMPLATE_NAME_TAKEN: 'templateName', TEMPLATE_CONTENT_INVALID: 'content', APP_DISABLED: 'appId' },
  });
  const close = form.leaving(onClose);
  const { content, smsType } = form.values;
  // Typed text shows immediately; validation follows when no key press is pending.
  const settled = useDeferredValue(form.values);
  const findings = useMemo(() => (settled.content.trim() === '' ? [] : judge(settled)), [settled, judge]);
  const variables = new Set(listVariables(content).map((variable) => variable.number));
  const leaveLine = (text: string) => makeUnsubscribeLine(text, DEFAULT_UNSUBSCRIBE_KEYWORD, optOutNumber);
  const setContent = (next: string) => form.set({ content: next });
  const addVariable = () => {
    const [before, after] = splitLastLine(content, leaveLine(content));
    setContent(`${before}${before === '' || after === '' ? '' : ' '}{${Math.max(0, ...variables) + 1}}${after}`);
  };

  return (
    <Drawer
      title={t(template ? 'templates.edit' : 'templates.add')}
      closeOnMask={false}
      isDirty={form.isDirty}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>{t('ui.cancel')}</Button>
          <Button variant="primary" loading={form.busy} onClick={() => void form.send()}>
            {t(isRevised(form.values) ? 'templates.submit' : 'ui.save')}
          </Button>
        </>
      }
    >
      <div className="templates-split">
        <Form {...form.formProps}>
          {form.notices}
          {template?.auditStatus === AuditStatus.Rejected && (
            <Note tone="danger">
              <strong>{t('templates.reason')}</strong>{' '}
              <bdi>{rejectionText(template.auditCode, template.auditReason, t)}</bdi>
            </Note>
          )}
          {template && <EditNote template={template} smsType={smsType} isRevised={isRevised(form.values)} />}
          <Field label={t('templates.application')} required {...form.field('appId')}>
            <Select
              {...form.bind('appId')}
              disabled={template !== undefined}
              loading={applications.isPending}
              options={choices}
            />
          </Field>
          <Field label={t('templates.name')} required hint={t('templates.name.hint')} {...form.field('templateName')}>
            <TextInput {...form.bind('templateName')} maxLength={50} autoComplete="off" />
          </Field>
          <Field group label={t('templates.type')} required {...form.field('smsType')}>
            <OptionCards
              {...form.bind('smsType')}
              options={Object.values(SmsType).map((value) => ({
                value,
                title: t(`templates.type.${value}`),
                note: t(`templates.type.${value}.note`),
              }))}
            />
          </Field>
          <Field label={t('templates.content')} required hint={t('templates.content.hint')} {...form.field('content')}>
            <MarkedTextArea {...form.bind('content')} marks={findingMarks(findings)} />
          </Field>
          <div className="row wrap">
            <Button size="small" onClick={addVariable}>
              {t('templates.variable.add')}
            </Button>
            <LinkMenu links={links} content={content} lastLine={leaveLine(content)} onChange={setContent} />
            {smsType === SmsType.Marketing && findings.some(({ code }) => code === 'UNSUBSCRIBE_LINE_MISSING') && (
              <Button size="small" onClick={() => setContent(`${content.trimEnd()} ${leaveLine(content)}`)}>
                {t('templates.unsubscribe.add')}
              </Button>
            )}
          </div>
          {content.trim() !== '' && (
            <TemplateFindings
              findings={findings}
              pending={isAwaitingRules || settled.content !== content || settled.smsType !== smsType}
              onFix={(fixes) => setContent(applyFixes(content, fixes))}
            />
          )}
          {variables.size > 0 && <Samples count={Math.max(...variables)} values={samples} onChange={setSamples} />}
          <FormProblem>{form.problem}</FormProblem>
        </Form>
        <TextPreview content={settled.content} values={samples} appId={settled.appId} />
      </div>
    </Drawer>
  );
}

interface EditNoteProps {
  template: Template;
  smsType: SmsType;
  isRevised: boolean;
}

/** What saving does: a new name is no new version, a new type or content is one that may have to be reviewed. */
function EditNote({ template, smsType, isRevised }: EditNoteProps) {
  const t = useText();
  const { auditStatus, servingVersion } = template;
  if (!isRevised) return <Note tone="info">{t('templates.edit.note')}</Note>;
  if (auditStatus === AuditStatus.NotRequired && smsType === template.smsType)
    return <Note tone="info">{t('templates.edit.exempt')}</Note>;
  return (
    <Note tone="info">
      {servingVersion === null ? t('templates.edit.first') : t('templates.edit.restarts', { version: servingVersion })}
    </Note>
  );
}

function Samples({
  count,
  values,
  onChange,
}: {
  count: number;
  values: readonly string[];
  onChange: (values: readonly string[]) => void;
}) {
  const t = useText();
  const numbers = Array.from({ length: Math.min(count, 99) }, (_, index) => index + 1);
  return (
    <Field group label={t('templates.samples')} hint={t('templates.samples.hint')}>
      <div className="templates-samples">
        {numbers.map((number) => (
          <TextInput
            key={number}
            aria-label={t('templates.sample', { number })}
            placeholder={`{${number}}`}
            value={values[number - 1] ?? ''}
            onChange={(value) => onChange(numbers.map((n) => (n === number ? value : (values[n - 1] ?? ''))))}
          />
        ))}
      </div>
    </Field>
  );
}
