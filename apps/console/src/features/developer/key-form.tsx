import { type ApiScope, apiScopes, ownersScopes, testScopes, UseState } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { DateTimeInput } from '../../ui/form/date-time-input.tsx';
import { Field } from '../../ui/form/field.tsx';
import { FormDrawer } from '../../ui/form/form-drawer.tsx';
import { Checkbox, TextArea, TextInput } from '../../ui/form/inputs.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { ScopeChoice } from './scope-choice.tsx';

interface Values {
  keyName: string;
  appId: string | null;
  isTest: boolean;
  scopes: ApiScope[];
  expireTime: string | null;
  /** One a line. */
  whiteListIp: string;
}

interface KeyFormProps {
  /** Offered first: a key of test mode. */
  isTest: boolean;
  /** Called with the text of the key, which is shown once. */
  onMade: (apiKey: string) => void;
  onClose: () => void;
}

/** Those chosen that a key of the mode can have: others stay chosen in case the mode changes back. */
const offered = (isTest: boolean, scopes: readonly ApiScope[]): ApiScope[] =>
  scopes.filter((scope) => !isTest || testScopes.includes(scope));

const isGiven = (scope: ApiScope, isOwner: boolean): boolean => isOwner || !ownersScopes.includes(scope);

/** A new key of an application; of the only one, if the customer has no other. */
export function KeyForm({ isTest, onMade, onClose }: KeyFormProps) {
  const t = useText();
  const refresh = useRefresh();
  const isOwner = useMay('owner');
  const applications = useCall('GET /applications', { query: { limit: 200, useState: String(UseState.Enabled) } });
  const [first, ...others] = applications.data?.items ?? [];
  const only = others.length === 0 ? (first?.appId ?? null) : null;
  const form = useForm<Values>({
    initial: {
      keyName: '',
      appId: null,
      isTest,
      scopes: ['messages:send', 'messages:read'],
      expireTime: null,
      whiteListIp: '',
    },
    validate: ({ keyName, appId, isTest: isOfTest, scopes }) => ({
      ...(keyName.trim() === '' && { keyName: t('ui.required.message', { label: t('account.passkey.name') }) }),
      ...(appId === null && only === null && { appId: t('ui.required.choice', { label: t('senders.application') }) }),
      ...(offered(isOfTest, scopes).length === 0 && {
        scopes: t('ui.required.choice', { label: t('developer.key.scopes') }),
      }),
    }),
    submit: async ({ appId, whiteListIp, isTest: isOfTest, scopes, ...values }) => {
      const { apiKey } = await call('POST /keys', {
        body: {
          ...values,
          appId: appId ?? only ?? '',
          mode: isOfTest ? 'test' : 'live',
          scopes: offered(isOfTest, scopes),
          whiteListIp: whiteListIp.split(/\s+/).filter((line) => line !== ''),
        },
      });
      toast(t('applications.rotated'));
      onMade(apiKey);
      await refresh('/keys');
      onClose();
    },
    codeFields: { ALLOWED_IP_INVALID: 'whiteListIp', APP_NOT_FOUND: 'appId', KEY_LIMIT: 'appId' },
  });
  return (
    <FormDrawer
      width="narrow"
      title={t('developer.key.add')}
      saveLabel={t('developer.key.add')}
      form={form}
      onClose={onClose}
    >
      <Field label={t('account.passkey.name')} required {...form.field('keyName')}>
        <TextInput {...form.bind('keyName')} maxLength={50} autoComplete="off" />
      </Field>
      <Field label={t('senders.application')} required {...form.field('appId')}>
        <Select
          {...form.bind('appId')}
          value={form.values.appId ?? only}
          loading={applications.isPending}
          options={(applications.data?.items ?? []).map(({ appId, appName }) => ({
            value: appId,
            label: appName,
            aside: appId,
          }))}
        />
      </Field>
      <Field group label={t('developer.key.test')}>
        <Checkbox checked={form.values.isTest} onChange={(isChosen) => form.set({ isTest: isChosen })}>
          {t('developer.key.test.hint')}
        </Checkbox>
      </Field>
      <Field group label={t('developer.key.scopes')} required {...form.field('scopes')}>
        <ScopeChoice
          {...form.bind('scopes')}
          scopes={offered(form.values.isTest, apiScopes).filter((scope) => isGiven(scope, isOwner))}
        />
      </Field>
      <Field label={t('applications.secret.until')} optional {...form.field('expireTime')}>
        <DateTimeInput {...form.bind('expireTime')} futureOnly />
      </Field>
      <Field
        label={t('applications.whiteListIp')}
        optional
        hint={t('developer.key.ip.hint')}
        {...form.field('whiteListIp')}
      >
        <TextArea {...form.bind('whiteListIp')} rows={2} dir="ltr" spellCheck={false} />
      </Field>
    </FormDrawer>
  );
}
