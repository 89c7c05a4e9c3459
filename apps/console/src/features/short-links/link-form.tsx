import { type LinkMode, linkExpiryDays, linkModes, linkNameLimit, type ShortLink } from '@pahatid/contract';
import { checkTargetUrl } from '@pahatid/domain';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { DateTimeInput } from '../../ui/form/date-time-input.tsx';
import { Field } from '../../ui/form/field.tsx';
import { OptionCards, TextArea, TextInput } from '../../ui/form/inputs.tsx';
import { Select, type SelectOption } from '../../ui/form/select.tsx';
import { SharedFormDrawer } from '../../ui/form/shared-form-drawer.tsx';
import { useSharedForm } from '../../ui/form/use-shared-form.tsx';

interface LinkFormProps {
  /** Undefined: a new one. */
  link?: ShortLink;
  onClose: () => void;
  onAdded?: (linkId: string) => void;
}

interface Values {
  linkName: string;
  targetUrl: string;
  mode: LinkMode;
  /** Days, a date, or as it is. */
  expiry: string;
  expireTime: string | null;
  fallbackUrl: string;
  appId: string | null;
  templateId: string | null;
}

const valuesOf = (link: ShortLink | undefined): Values => ({
  linkName: link?.linkName ?? '',
  targetUrl: link?.targetUrl ?? '',
  mode: link?.mode ?? 'perRecipient',
  expiry: link === undefined ? '90' : 'date',
  expireTime: link?.expireTime ?? null,
  fallbackUrl: link?.fallbackUrl ?? '',
  appId: link?.appId ?? null,
  templateId: link?.templateId ?? null,
});

export function LinkForm({ link, onClose, onAdded }: LinkFormProps) {
  const t = useText();
  const refresh = useRefresh();
  const applications = useCall('GET /applications', { query: { limit: 200 } });
  const templates = useCall('GET /templates', { query: { limit: 200 } });
  const appChoices = withChosen(
    (applications.data?.items ?? []).map((app) => ({ value: app.appId, label: app.appName, aside: app.appId })),
    link?.appId,
    link?.appName,
  );
  const templateChoices = withChosen(
    (templates.data?.items ?? []).map(({ templateId, templateName }) => ({ value: templateId, label: templateName })),
    link?.templateId,
    link?.templateName,
  );
  const isNew = link === undefined;

  const formats = useFormats();
  const [initial] = useState(() => valuesOf(link));
  const nameOf = (options: readonly SelectOption<string>[], value: string | null) =>
    options.find((option) => option.value === value)?.label ?? value ?? '';
  const form = useSharedForm<Values>({
    keep: `link:${link?.linkId ?? 'new'}`,
    initial,
    version: link?.version ?? null,
    read: async () => {
      const stored = await call('GET /short-links/:linkId', { params: { linkId: link?.linkId ?? '' } });
      return { values: valuesOf(stored), version: stored.version };
    },
    labels: {
      linkName: t('shortLinks.linkName'),
      targetUrl: t('shortLinks.targetUrl'),
      expiry: t('shortLinks.expireTime'),
      expireTime: t('shortLinks.expireTime'),
      fallbackUrl: t('shortLinks.fallbackUrl'),
      appId: t('shortLinks.application'),
      templateId: t('shortLinks.template'),
    },
    show: (name, v) => {
      if (name === 'expireTime') return v.expireTime === null ? '' : formats.date(v.expireTime, 'dateTime');
      if (name === 'expiry')
        return v.expiry === 'date' ? t('shortLinks.date') : t('shortLinks.days', { days: Number(v.expiry) });
      if (name === 'appId') return nameOf(appChoices, v.appId);
      return name === 'templateId' ? nameOf(templateChoices, v.templateId) : v[name];
    },
    validate: (v) => ({
      ...(v.linkName.trim() === '' && {
        linkName: t('ui.required.message', { label: t('shortLinks.linkName') }),
      }),
      ...complaint(v.targetUrl, 'targetUrl', t, true),
      ...complaint(v.fallbackUrl, 'fallbackUrl', t, false),
      ...(v.expiry === 'date' &&
        v.expireTime === null && {
          expireTime: t('ui.required.choice', { label: t('shortLinks.expireTime') }),
        }),
    }),
    submit: async (v, version) => {
      const days = linkExpiryDays.find((each) => String(each) === v.expiry);
      const isKept = days === undefined && v.expireTime === initial.expireTime;
      const expiry = days !== undefined ? { expiryDays: days } : isKept ? {} : { expireTime: v.expireTime ?? '' };
      const body = {
        linkName: v.linkName,
        targetUrl: v.targetUrl,
        appId: v.appId,
        templateId: v.templateId,
        fallbackUrl: v.fallbackUrl.trim() === '' ? null : v.fallbackUrl,
        ...expiry,
      };
      if (link === undefined) {
        const added = await call('POST /short-links', { body: { ...body, mode: v.mode } });
        toast(t('shortLinks.added'));
        await refresh('/short-links');
        onAdded?.(added.linkId);
        return;
      }
      await call('PATCH /short-links/:linkId', {
        params: { linkId: link.linkId },
        body: { ...body, ...(version !== null && { version }) },
      });
      toast(t('shortLinks.saved'));
      await refresh('/short-links');
      onClose();
    },
    codeFields: { APP_NOT_FOUND: 'appId', TEMPLATE_NOT_FOUND: 'templateId' },
  });
  const { values, set } = form;

  return (
    <SharedFormDrawer
      width="narrow"
      title={t(isNew ? 'shortLinks.add' : 'shortLinks.edit')}
      saveLabel={t(isNew ? 'shortLinks.add' : 'ui.save')}
      form={form}
      onClose={onClose}
    >
      <Field label={t('shortLinks.linkName')} required {...form.field('linkName')}>
        <TextInput {...form.bind('linkName')} maxLength={linkNameLimit} autoComplete="off" />
      </Field>
      <Field
        label={t('shortLinks.targetUrl')}
        required
        hint={t('shortLinks.targetUrl.hint')}
        {...form.field('targetUrl')}
      >
        <TextArea {...form.bind('targetUrl')} rows={2} dir="ltr" />
      </Field>
      {isNew && (
        <Field group label={t('shortLinks.mode')} required {...form.field('mode')}>
          <OptionCards<LinkMode>
            value={values.mode}
            onChange={(mode) => set({ mode })}
            options={linkModes.toReversed().map((value) => ({
              value,
              title: t(`shortLinks.mode.${value}`),
              note: t(`shortLinks.mode.${value}.note`),
            }))}
          />
        </Field>
      )}
      <Field group label={t('shortLinks.expireTime')} required {...form.field('expireTime')}>
        <div className="stack">
          <Segmented
            label={t('shortLinks.expireTime')}
            value={values.expiry}
            onChange={(expiry) => set({ expiry })}
            options={[
              ...linkExpiryDays.map((days) => ({ value: String(days), label: t('shortLinks.days', { days }) })),
              { value: 'date', label: t('shortLinks.date') },
            ]}
          />
          {values.expiry === 'date' && (
            <DateTimeInput futureOnly value={values.expireTime} onChange={(expireTime) => set({ expireTime })} />
          )}
        </div>
      </Field>
      <Field
        label={t('shortLinks.fallbackUrl')}
        optional
        hint={t('shortLinks.fallbackUrl.hint')}
        {...form.field('fallbackUrl')}
      >
        <TextInput {...form.bind('fallbackUrl')} dir="ltr" autoComplete="off" />
      </Field>
      <Field label={t('shortLinks.application')} optional {...form.field('appId')}>
        <Select {...form.bind('appId')} clearable loading={applications.isPending} options={appChoices} />
      </Field>
      <Field
        label={t('shortLinks.template')}
        optional
        hint={t('shortLinks.template.hint')}
        {...form.field('templateId')}
      >
        <Select {...form.bind('templateId')} clearable loading={templates.isPending} options={templateChoices} />
      </Field>
    </SharedFormDrawer>
  );
}

/** With what the link has, which may be deleted since, or not among the first. */
function withChosen(
  options: SelectOption<string>[],
  value: string | null | undefined,
  label: string | null | undefined,
): SelectOption<string>[] {
  if (!value || options.some((option) => option.value === value)) return options;
  return [{ value, label: label ?? value }, ...options];
}

/** The same rules as the server's, at the field. */
function complaint(
  url: string,
  field: 'targetUrl' | 'fallbackUrl',
  t: ReturnType<typeof useText>,
  isRequired: boolean,
): Partial<Record<'targetUrl' | 'fallbackUrl', string>> {
  if (url.trim() === '')
    return isRequired ? { [field]: t('ui.required.message', { label: t('shortLinks.targetUrl') }) } : {};
  const checked = checkTargetUrl(url);
  return checked.ok ? {} : { [field]: t(`error.field.${checked.code}`) };
}
