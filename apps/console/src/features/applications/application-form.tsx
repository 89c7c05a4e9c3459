import { AccessType, type Application } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { Checkbox, NumberInput, OptionCards, TextArea, TextInput } from '../../ui/form/inputs.tsx';
import { SharedFormDrawer } from '../../ui/form/shared-form-drawer.tsx';
import { useSharedForm } from '../../ui/form/use-shared-form.tsx';
import { DoubtPolicyFields, doubtText } from './doubt-policy-fields.tsx';
import {
  readServiceTypes,
  ServiceTypeFields,
  type ServiceTypeText,
  serviceTypeLines,
  writeServiceTypes,
} from './service-type-fields.tsx';
import type { ShownSecrets } from './shown-secrets-dialog.tsx';
import { ValidForFields, validForLines } from './valid-for-fields.tsx';

interface ApplicationFormProps {
  /** Undefined: a new one. */
  application?: Application;
  onSecrets: (secrets: ShownSecrets) => void;
  onClose: () => void;
}

interface Values {
  appName: string;
  remarkInfo: string;
  accessType: AccessType;
  /** One a line. */
  whiteListIp: string;
  callbackUrl: string;
  maxConnectNum: number | null;
  doubtPolicy: Application['doubtPolicy'];
  validFor: Application['validFor'];
  serviceTypes: ServiceTypeText;
  smppDeduplication: boolean;
}

const holdAll = { verification: 'hold', notification: 'hold', marketing: 'hold' } as const;
const defaultLives = { verification: null, notification: null, marketing: null };

const valuesOf = (application: Application | undefined): Values => ({
  appName: application?.appName ?? '',
  remarkInfo: application?.remarkInfo ?? '',
  accessType: application?.accessType ?? AccessType.Both,
  whiteListIp: application?.whiteListIp.join('\n') ?? '',
  callbackUrl: application?.callbackUrl ?? '',
  maxConnectNum: application?.maxConnectNum ?? 2,
  doubtPolicy: application?.doubtPolicy ?? holdAll,
  validFor: application?.validFor ?? defaultLives,
  serviceTypes: writeServiceTypes(application?.serviceTypes),
  smppDeduplication: application?.smppDeduplication ?? false,
});

export function ApplicationForm({ application, onSecrets, onClose }: ApplicationFormProps) {
  const t = useText();
  const refresh = useRefresh();
  const required = (label: string) => t('ui.required.message', { label });

  const [initial] = useState(() => valuesOf(application));
  const form = useSharedForm<Values>({
    keep: `application:${application?.appId ?? 'new'}`,
    initial,
    version: application?.version ?? null,
    read: async () => {
      const stored = await call('GET /applications/:appId', { params: { appId: application?.appId ?? '' } });
      return { values: valuesOf(stored), version: stored.version };
    },
    labels: {
      appName: t('applications.name'),
      remarkInfo: t('applications.remarks'),
      accessType: t('applications.accessType'),
      whiteListIp: t('applications.whiteListIp'),
      callbackUrl: t('applications.callbackUrl'),
      maxConnectNum: t('applications.maxConnectNum'),
      doubtPolicy: t('applications.doubt'),
      validFor: t('applications.validFor'),
      serviceTypes: t('applications.serviceTypes'),
      smppDeduplication: t('applications.deduplication'),
    },
    show: (name, values) => {
      if (name === 'accessType') return t(`applications.accessType.${values.accessType}`);
      if (name === 'validFor') return validForLines(values.validFor, t).join('\n');
      if (name === 'serviceTypes') return serviceTypeLines(values.serviceTypes, t);
      if (name === 'smppDeduplication') return values.smppDeduplication ? t('applications.deduplication.on') : '–';
      return name === 'doubtPolicy' ? doubtText(values.doubtPolicy, t) : String(values[name] ?? '');
    },
    validate: (values) => ({
      ...(values.appName.trim() === '' && { appName: required(t('applications.name')) }),
      ...(values.remarkInfo.trim() === '' && { remarkInfo: required(t('applications.remarks')) }),
      ...(values.maxConnectNum === null && { maxConnectNum: required(t('applications.maxConnectNum')) }),
      ...(readServiceTypes(values.serviceTypes) === null && { serviceTypes: t('applications.serviceTypes.wrong') }),
    }),
    submit: async ({ doubtPolicy, validFor, serviceTypes, smppDeduplication, ...values }, version) => {
      const fields = {
        ...values,
        whiteListIp: values.whiteListIp.split(/\s+/).filter((line) => line !== ''),
        callbackUrl: values.callbackUrl.trim() === '' ? null : values.callbackUrl.trim(),
        maxConnectNum: values.maxConnectNum ?? 1,
      };
      if (application) {
        const params = { appId: application.appId };
        const { callbackSecret } = await call('PATCH /applications/:appId', {
          params,
          body: {
            ...{ ...fields, doubtPolicy, validFor, smppDeduplication },
            serviceTypes: readServiceTypes(serviceTypes) ?? {},
            ...(version !== null && { version }),
          },
        });
        toast(t('applications.edited'));
        if (callbackSecret !== null) onSecrets({ callbackSecret });
      } else {
        const { appSecret, smppPassword, callbackSecret } = await call('POST /applications', { body: fields });
        toast(t('applications.added'));
        onSecrets({ appSecret, smppPassword, ...(callbackSecret !== null && { callbackSecret }) });
      }
      await refresh('/applications', '/overview');
      onClose();
    },
    codeFields: { APP_NAME_TAKEN: 'appName', ALLOWED_IP_INVALID: 'whiteListIp', CALLBACK_URL_INVALID: 'callbackUrl' },
  });

  return (
    <SharedFormDrawer
      width="narrow"
      title={t(application ? 'applications.edit' : 'applications.add')}
      saveLabel={t(application ? 'ui.save' : 'applications.add')}
      form={form}
      onClose={onClose}
    >
      <Field label={t('applications.name')} required hint={t('applications.name.hint')} {...form.field('appName')}>
        <TextInput {...form.bind('appName')} maxLength={50} autoComplete="off" />
      </Field>
      <Field
        label={t('applications.remarks')}
        required
        hint={t('applications.remarks.hint')}
        {...form.field('remarkInfo')}
      >
        <TextArea {...form.bind('remarkInfo')} rows={2} maxLength={200} />
      </Field>
      <Field
        group
        label={t('applications.accessType')}
        hint={t('applications.accessType.hint')}
        {...form.field('accessType')}
      >
        <OptionCards
          {...form.bind('accessType')}
          options={Object.values(AccessType).map((value) => ({
            value,
            title: t(`applications.accessType.${value}`),
            ...(value === AccessType.Http && { note: t('applications.accessType.2.fact') }),
          }))}
        />
      </Field>
      <Field
        label={t('applications.maxConnectNum')}
        hint={t('applications.maxConnectNum.hint')}
        {...form.field('maxConnectNum')}
      >
        <NumberInput {...form.bind('maxConnectNum')} min={1} max={20} />
      </Field>
      <Field
        label={t('applications.whiteListIp')}
        optional
        hint={t('applications.whiteListIp.hint')}
        {...form.field('whiteListIp')}
      >
        <TextArea {...form.bind('whiteListIp')} rows={2} dir="ltr" spellCheck={false} />
      </Field>
      <Field
        label={t('applications.callbackUrl')}
        optional
        hint={t('applications.callbackUrl.hint')}
        {...form.field('callbackUrl')}
      >
        <TextInput code type="url" {...form.bind('callbackUrl')} maxLength={2048} />
      </Field>
      {application && (
        <>
          <DoubtPolicyFields value={form.values.doubtPolicy} onChange={(doubtPolicy) => form.set({ doubtPolicy })} />
          <ValidForFields value={form.values.validFor} onChange={(validFor) => form.set({ validFor })} />
          <ServiceTypeFields
            value={form.values.serviceTypes}
            onChange={(serviceTypes) => form.set({ serviceTypes })}
            {...form.field('serviceTypes')}
          />
          <Field group label={t('applications.deduplication')} hint={t('applications.deduplication.hint')}>
            <Checkbox
              checked={form.values.smppDeduplication}
              onChange={(smppDeduplication) => form.set({ smppDeduplication })}
            >
              {t('applications.deduplication.on')}
            </Checkbox>
          </Field>
        </>
      )}
    </SharedFormDrawer>
  );
}
