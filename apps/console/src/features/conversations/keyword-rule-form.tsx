import { type KeywordRule, keywordLength, keywordsPerRule } from '@pahatid/contract';
import { isKeyword, isOptOutKeyword } from '@pahatid/domain';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { useFieldProps } from '../../ui/form/field-context.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { Checkbox, TextArea } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';

const dayHours = Array.from({ length: 24 }, (_, hour) => hour);
const toKeywords = (lines: string): string[] =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Keywords, the template that answers them, and when. */
export function KeywordRuleForm({ rule, onClose }: { rule: KeywordRule | undefined; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const [initial] = useState(() => ({
    appId: rule?.appId ?? '',
    keywords: rule?.keywords.join('\n') ?? '',
    templateId: rule?.templateId ?? '',
    isAlways: rule === undefined || rule.hours === null,
    from: rule?.hours?.from ?? 8,
    to: rule?.hours?.to ?? 20,
  }));
  const applications = useCall('GET /applications', { query: { limit: 200, useState: '1' } });
  const form = useForm({
    initial,
    fieldOf: (path) => (path.startsWith('keywords') ? 'keywords' : undefined),
    validate: ({ appId, keywords, templateId }) => ({
      ...(appId === '' && { appId: t('ui.required.choice', { label: t('records.application') }) }),
      ...(complain(toKeywords(keywords)) !== null && {
        keywords: t(complain(toKeywords(keywords)) ?? 'error.field.INVALID'),
      }),
      ...(templateId === '' && { templateId: t('ui.required.choice', { label: t('palette.kind.template') }) }),
    }),
    submit: async ({ appId, keywords, templateId, isAlways, from, to }) => {
      const body = { keywords: toKeywords(keywords), templateId, hours: isAlways ? null : { from, to } };
      if (rule === undefined) await call('POST /keyword-rules', { body: { appId, ...body } });
      else await call('PATCH /keyword-rules/:ruleId', { params: { ruleId: rule.ruleId }, body });
      await refresh('/keyword-rules');
      onClose();
    },
  });
  const { appId, isAlways, from, to } = form.values;
  const templates = useCall(
    'GET /templates',
    { query: { appId, sendable: '1', limit: '200' } },
    { enabled: appId !== '' },
  );
  const choices = templates.data?.items.filter(({ variableCount }) => variableCount === 0) ?? [];
  return (
    <FormDialog
      title={rule === undefined ? t('conversations.rules.add') : rule.keywords.join(', ')}
      form={form}
      onClose={onClose}
    >
      {rule === undefined && (
        <Field label={t('records.application')} required {...form.field('appId')}>
          <Choice
            value={appId}
            onChange={(next) => form.set({ appId: next, templateId: '' })}
            options={(applications.data?.items ?? []).map((each) => ({ value: each.appId, label: each.appName }))}
          />
        </Field>
      )}
      <Field
        label={t('conversations.rules.words')}
        required
        hint={t('conversations.rules.words.hint')}
        {...form.field('keywords')}
      >
        <TextArea {...form.bind('keywords')} rows={3} dir="auto" />
      </Field>
      <Field label={t('palette.kind.template')} required {...form.field('templateId')}>
        <Choice
          value={form.values.templateId}
          onChange={(templateId) => form.set({ templateId })}
          options={choices.map(({ templateId, templateName }) => ({ value: templateId, label: templateName }))}
        />
      </Field>
      <Field label={t('conversations.rules.hours')} group>
        <Checkbox checked={isAlways} onChange={(next) => form.set({ isAlways: next })}>
          {t('conversations.rules.always')}
        </Checkbox>
        {!isAlways && (
          <div className="conversation-tools" dir="ltr">
            <Hour label={t('ui.range.from')} value={from} onChange={(next) => form.set({ from: next })} />
            <Hour label={t('ui.range.to')} value={to} onChange={(next) => form.set({ to: next })} />
          </div>
        )}
      </Field>
    </FormDialog>
  );
}

function complain(keywords: readonly string[]) {
  if (keywords.length === 0) return 'error.field.REQUIRED' as const;
  if (keywords.some(isOptOutKeyword)) return 'error.field.OPT_OUT_WORD' as const;
  const isWrong = keywords.length > keywordsPerRule || keywords.some((each) => each.length > keywordLength);
  return isWrong || !keywords.every(isKeyword) ? ('error.field.INVALID' as const) : null;
}

interface ChoiceProps {
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

function Choice({ value, options, onChange, ...rest }: ChoiceProps) {
  const t = useText();
  return (
    <select
      {...useFieldProps()}
      {...rest}
      className="input"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{t('ui.choose')}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

function Hour({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  return (
    <select
      className="input"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
    >
      {dayHours.map((hour) => (
        <option key={hour} value={hour}>
          {`${String(hour).padStart(2, '0')}:00`}
        </option>
      ))}
    </select>
  );
}
