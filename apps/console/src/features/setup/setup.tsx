import { checkPassword, isAccount, isEmail } from '@pahatid/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { sessionQuery } from '../../lib/api/session.ts';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Brand } from '../../ui/base/brand.tsx';
import { Button } from '../../ui/base/button.tsx';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { EmptyState, FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { PasswordInput, TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { PasswordRules } from './password-rules.tsx';
import './setup.css';

/** Answers after which the link opens nothing any more. */
const refusals: ReadonlySet<string> = new Set(['SETUP_LINK_INVALID', 'SETUP_LINK_EXPIRED', 'SETUP_DONE']);
const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError && refusals.has(error.code);

/** `/setup#token=…`: the first admin makes the account. What stands behind the `#` never leaves the browser by itself. */
export function Setup({ preferences }: { preferences: ReactNode }) {
  const t = useText();
  const hash = useLocation({ select: (location) => location.hash });
  const token = new URLSearchParams(hash).get('token') ?? '';
  const check = useQuery({
    queryKey: ['setup', token],
    queryFn: async () => {
      await call('POST /setup/check', { body: { token } });
      return true;
    },
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  return (
    <div className="setup">
      <header className="setup-bar">
        <Brand />
        <span className="grow" />
        {preferences}
      </header>
      <main className="setup-panel">
        {token === '' ? (
          <Refused title={t('setup.refused.SETUP_LINK_INVALID')} text={t('error.SETUP_LINK_INVALID')} />
        ) : check.isSuccess ? (
          <SetupForm token={token} onRefused={() => void check.refetch()} />
        ) : isRefusal(check.error) ? (
          <Refused title={refusalTitle(check.error, t)} text={errorText(check.error, t)} />
        ) : check.isError ? (
          <FailedState whole error={check.error} onRetry={() => void check.refetch()} />
        ) : (
          <SkeletonLines />
        )}
      </main>
    </div>
  );
}

const refusalTitle = ({ code }: ApiError, t: Text): string =>
  code === 'SETUP_DONE'
    ? t('setup.refused.SETUP_DONE')
    : code === 'SETUP_LINK_EXPIRED'
      ? t('setup.refused.SETUP_LINK_EXPIRED')
      : t('setup.refused.SETUP_LINK_INVALID');

function Refused({ title, text }: { title: string; text: string }) {
  const t = useText();
  return (
    <EmptyState
      whole
      title={title}
      action={
        <ButtonLink to="/" search={{ login: '1' }} variant="primary">
          {t('session.submit')}
        </ButtonLink>
      }
    >
      {text}
    </EmptyState>
  );
}

function SetupForm({ token, onRefused }: { token: string; onRefused: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const form = useForm({
    initial: { email: '', account: '', password: '' },
    validate: ({ email, account, password }) => ({
      ...(!isEmail(email.trim()) && {
        email: email.trim() === '' ? t('setup.email.required') : t('error.field.EMAIL'),
      }),
      ...(!isAccount(account.trim()) && {
        account: account.trim() === '' ? t('session.account.required') : t('error.field.ACCOUNT'),
      }),
      ...passwordError(password, t),
    }),
    codeFields: { ACCOUNT_TAKEN: 'account', EMAIL_TAKEN: 'email' },
    submit: async ({ email, account, password }) => {
      try {
        await call('POST /setup', { body: { token, email: email.trim(), account: account.trim(), password } });
      } catch (error) {
        if (isRefusal(error)) onRefused();
        throw error;
      }
      await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await navigate({ href: '/overview', replace: true });
    },
  });
  return (
    <>
      <h1>{t('setup.title')}</h1>
      <p className="ink-2">{t('setup.lead')}</p>
      <Form {...form.formProps}>
        <Field label={t('setup.email')} {...form.field('email')}>
          <TextInput
            {...form.bind('email')}
            type="email"
            dir="ltr"
            autoComplete="email"
            spellCheck={false}
            data-autofocus
          />
        </Field>
        <Field
          label={t('session.account')}
          hint={form.errorOf('account') ? null : t('setup.account.hint')}
          {...form.field('account')}
        >
          <TextInput
            {...form.bind('account')}
            dir="ltr"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={32}
          />
        </Field>
        <Field
          label={t('session.password')}
          hint={<PasswordRules password={form.values.password} />}
          {...form.field('password')}
        >
          <PasswordInput {...form.bind('password')} autoComplete="new-password" />
        </Field>
        <FormProblem>{form.problem}</FormProblem>
        <Button type="submit" variant="primary" size="large" block loading={form.busy}>
          {t('setup.submit')}
        </Button>
      </Form>
    </>
  );
}

function passwordError(password: string, t: Text): { password?: string } {
  if (password === '') return { password: t('session.password.required') };
  const [problem] = checkPassword(password);
  return problem === undefined ? {} : { password: t(`error.field.PASSWORD_${problem}`) };
}
