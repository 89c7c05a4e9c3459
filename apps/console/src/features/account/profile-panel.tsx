import type { Account } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useSession } from '../../lib/api/session.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { PhoneNumber } from '../../ui/data/text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Facts, Panel } from '../../ui/page/page.tsx';
import { RemovePhone, SetPhone } from './phone-dialogs.tsx';

const longestName = 100;

/** The name, which the user may change, and the fields that only others may. */
export function ProfilePanel({ account }: { account: Account }) {
  const t = useText();
  const refresh = useRefresh();
  const { user } = useSession();
  const [asking, setAsking] = useState<'set' | 'remove' | null>(null);
  const form = useForm({
    initial: { name: account.name },
    validate: ({ name }) => (name.trim() === '' ? { name: t('account.name.required') } : {}),
    submit: async ({ name }) => {
      await call('PATCH /account', { body: { name: name.trim() } });
      await refresh('/account', '/session');
      toast(t('account.saved'));
    },
  });
  return (
    <Panel title={t('account.profile')}>
      <div className="stack account-profile">
        <Form {...form.formProps}>
          <Field label={t('account.name')} {...form.field('name')}>
            <div className="account-line">
              <TextInput {...form.bind('name')} autoComplete="name" maxLength={longestName} dir="auto" />
              <Button type="submit" loading={form.busy} disabled={form.values.name.trim() === account.name}>
                {t('ui.save')}
              </Button>
            </div>
          </Field>
          <FormProblem>{form.problem}</FormProblem>
        </Form>
        <Facts
          items={[
            { key: 'account', label: t('account.account'), value: <bdi>{account.account}</bdi> },
            { key: 'email', label: t('account.email'), value: <bdi dir="ltr">{account.email}</bdi> },
            {
              key: 'phone',
              label: t('account.phone'),
              value: (
                <span className="account-phone">
                  {account.phone ? (
                    <PhoneNumber value={account.phone} />
                  ) : (
                    <span className="ink-3">{t('account.phone.none')}</span>
                  )}
                  <Button
                    size="small"
                    aria-label={t(account.phone ? 'account.phone.change' : 'account.phone.add')}
                    onClick={() => setAsking('set')}
                  >
                    {t(account.phone ? 'account.change' : 'account.add')}
                  </Button>
                  {account.phone && (
                    <Button
                      size="small"
                      variant="quiet"
                      aria-label={t('account.phone.remove')}
                      onClick={() => setAsking('remove')}
                    >
                      {t('account.remove')}
                    </Button>
                  )}
                </span>
              ),
            },
            { key: 'role', label: t('account.role'), value: t(`shell.role.${user.role}`) },
          ]}
        />
      </div>
      {asking === 'set' && <SetPhone account={account} onClose={() => setAsking(null)} />}
      {asking === 'remove' && <RemovePhone account={account} onClose={() => setAsking(null)} />}
    </Panel>
  );
}
