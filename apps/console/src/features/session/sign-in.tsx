import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useId } from 'react';
import { call } from '../../lib/api/call.ts';
import { sessionQuery } from '../../lib/api/session.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { localPath } from '../../lib/router/local-path.ts';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Brand } from '../../ui/base/brand.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { PasswordInput, TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Layer } from '../../ui/layers/layer.tsx';
import { Note } from '../../ui/page/page.tsx';
import './sign-in.css';

/** Sign-in by account and password, over the landing page; afterwards on to `next`, or to the person's first screen. */
export function SignIn({ onClose }: { onClose: () => void }) {
  const t = useText();
  const id = useId();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [{ next, ended }] = useSearchParams(['next', 'ended']);
  const form = useForm({
    initial: { account: '', password: '' },
    validate: (values) => ({
      ...(values.account.trim() === '' && { account: t('session.account.required') }),
      ...(values.password === '' && { password: t('session.password.required') }),
    }),
    codeFields: { PASSWORD_INCORRECT: 'password' },
    submit: async ({ account, password }) => {
      const session = await call('POST /session', { body: { account: account.trim(), password } });
      client.setQueryData(sessionQuery.queryKey, session);
      const home = session.user.kind === 'staff' ? '/overview' : '/home';
      await navigate({ href: localPath(next) ?? home, replace: true });
    },
  });
  return (
    <Layer className="sign-in" labelledBy={id} onClose={onClose}>
      <div className="sign-in-panel" tabIndex={-1}>
        <Button
          className="sign-in-close"
          variant="quiet"
          size="small"
          icon={X}
          aria-label={t('ui.close')}
          onClick={onClose}
        />
        <Brand />
        <h2 id={id}>{t('session.title')}</h2>
        {ended && <Note tone="info">{t('session.ended')}</Note>}
        <Form {...form.formProps}>
          <Field label={t('session.account')} {...form.field('account')}>
            <TextInput
              {...form.bind('account')}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              data-autofocus
            />
          </Field>
          <Field label={t('session.password')} {...form.field('password')}>
            <PasswordInput {...form.bind('password')} autoComplete="current-password" />
          </Field>
          <FormProblem>{form.problem}</FormProblem>
          <Button type="submit" variant="primary" size="large" block loading={form.busy}>
            {t('session.submit')}
          </Button>
        </Form>
      </div>
    </Layer>
  );
}
