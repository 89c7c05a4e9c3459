import { UseState } from '@pahatid/contract';
import { checkSenderId } from '@pahatid/domain';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { TextArea, TextInput } from '../../ui/form/inputs.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { Note } from '../../ui/page/page.tsx';

interface Values {
  appId: string | null;
  areaCode: string | null;
  senderId: string;
  remarkInfo: string;
}

export function RegisterSender({ onClose }: { onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const applications = useCall('GET /applications', {
    query: { limit: 200, useState: String(UseState.Enabled) },
  });
  const required = (label: string) => t('ui.required.message', { label });

  const form = useForm<Values>({
    initial: { appId: null, areaCode: 'PH', senderId: '', remarkInfo: '' },
    validate: ({ appId, areaCode, senderId }) => {
      const problem = senderId.trim() === '' ? null : checkSenderId(senderId.trim());
      return {
        ...(appId === null && { appId: t('ui.required.choice', { label: t('senders.application') }) }),
        ...(areaCode === null && { areaCode: t('ui.required.choice', { label: t('senders.area') }) }),
        ...(senderId.trim() === '' && { senderId: required(t('senders.senderId')) }),
        ...(problem && { senderId: t(`senders.rule.${problem}`) }),
      };
    },
    submit: async ({ appId, areaCode, ...rest }) => {
      await call('POST /senders', { body: { ...rest, appId: appId ?? '', areaCode: areaCode ?? '' } });
      toast(t('senders.added'));
      await refresh('/senders', '/overview');
      onClose();
    },
    codeFields: { SENDER_ID_INVALID: 'senderId', SENDER_ID_TAKEN: 'senderId', APP_DISABLED: 'appId' },
  });

  return (
    <Drawer
      width="narrow"
      title={t('senders.add')}
      closeOnMask={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" loading={form.busy} onClick={() => void form.send()}>
            {t('senders.add')}
          </Button>
        </>
      }
    >
      <Form {...form.formProps}>
        <Field label={t('senders.application')} required {...form.field('appId')}>
          <Select
            {...form.bind('appId')}
            loading={applications.isPending}
            options={(applications.data?.items ?? []).map((app) => ({
              value: app.appId,
              label: app.appName,
              aside: app.appId,
            }))}
          />
        </Field>
        <Field label={t('senders.area')} required {...form.field('areaCode')}>
          <Select {...form.bind('areaCode')} options={[{ value: 'PH', label: t('senders.area.PH') }]} />
        </Field>
        <Field label={t('senders.senderId')} required hint={t('senders.senderId.hint')} {...form.field('senderId')}>
          <TextInput code {...form.bind('senderId')} maxLength={20} autoComplete="off" />
        </Field>
        <Field label={t('senders.remarks')} optional hint={t('senders.remarks.hint')} {...form.field('remarkInfo')}>
          <TextArea {...form.bind('remarkInfo')} rows={3} maxLength={200} />
        </Field>
        <Note tone="info">{t('senders.noReview')}</Note>
        <FormProblem>{form.problem}</FormProblem>
      </Form>
    </Drawer>
  );
}
