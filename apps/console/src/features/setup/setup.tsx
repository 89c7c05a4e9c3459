import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { sessionQuery } from '../../lib/api/session.ts';
import { emailError, foundErrors } from '../../lib/codes/typed-errors.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Brand } from '../../ui/base/brand.tsx';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { EmptyState, FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { EmailInput } from '../../ui/form/email-input.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import {
  FirstPasswordField,
  FirstSubmit,
  firstPasswordError,
  NewAccountField,
  newAccountError,
} from './account-fields.tsx';
import './setup.css';

/** Errors after which the link is unusable. */
const refusals: ReadonlySet<string> = new Set(['SETUP_LINK_INVALID', 'SETUP_LINK_EXPIRED', 'SETUP_DONE']);
const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError && refusals.has(error.code);

/** `/setup#token=…`: the first admin creates the account. The browser never sends the part after the `#`. */
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
  const { locale } = useTexts();
  const navigate = useNavigate();
  const client = useQueryClient();
  const form = useForm({
    initial: { email: '', account: '', password: '' },
    validate: ({ email, account, password }) =>
      foundErrors({
        email: emailError(t, email),
        account: newAccountError(t, account),
        password: firstPasswordError(t, password),
      }),
    codeFields: { ACCOUNT_TAKEN: 'account', EMAIL_TAKEN: 'email' },
    submit: async ({ email, account, password }) => {
      try {
        await call('POST /setup', { body: { token, email: email.trim(), account: account.trim(), password, locale } });
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
          <EmailInput {...form.bind('email')} autoFocus />
        </Field>
        <NewAccountField bound={form.bind('account')} error={form.errorOf('account')} />
        <FirstPasswordField bound={form.bind('password')} error={form.errorOf('password')} />
        <FormProblem>{form.problem}</FormProblem>
        <FirstSubmit busy={form.busy}>{t('setup.submit')}</FirstSubmit>
      </Form>
    </>
  );
}
