import type { InvitationOffer } from '@pahatid/contract';
import { checkPassword, isAccount } from '@pahatid/domain';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Brand } from '../../ui/base/brand.tsx';
import { Button } from '../../ui/base/button.tsx';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { Bdi } from '../../ui/data/text.tsx';
import { EmptyState, FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { PasswordInput, TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { PasswordRules } from './password-rules.tsx';
import './setup.css';

/** Answers after which the link opens nothing, whatever is typed. */
const refusals: ReadonlySet<string> = new Set([
  'INVITATION_INVALID',
  'INVITATION_EXPIRED',
  'EMAIL_TAKEN',
  'CUSTOMER_SUSPENDED',
]);
const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError && refusals.has(error.code);

/** `/invitation#token=…`: who was invited becomes a member. What stands behind the `#` never leaves the browser by itself. */
export function Invitation({ preferences }: { preferences: ReactNode }) {
  const hash = useLocation({ select: (location) => location.hash });
  const token = new URLSearchParams(hash).get('token') ?? '';
  const [joined, setJoined] = useState<string>();
  const offer = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call('POST /invitations/check', { body: { token } }),
    enabled: token !== '',
    retry: (count, error) => !isRefusal(error) && count < 3,
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
        {joined !== undefined && offer.data ? (
          <Joined offer={offer.data} account={joined} />
        ) : token === '' ? (
          <Refused code="INVITATION_INVALID" />
        ) : isRefusal(offer.error) ? (
          <Refused code={offer.error.code} />
        ) : offer.data ? (
          <Accept offer={offer.data} token={token} onJoined={setJoined} onRefused={() => void offer.refetch()} />
        ) : offer.isError ? (
          <FailedState whole error={offer.error} onRetry={() => void offer.refetch()} />
        ) : (
          <SkeletonLines />
        )}
      </main>
    </div>
  );
}

function SignInLink() {
  const t = useText();
  return (
    <ButtonLink to="/" search={{ login: '1' }} variant="primary">
      {t('session.submit')}
    </ButtonLink>
  );
}

function Refused({ code }: { code: string }) {
  const t = useText();
  return (
    <EmptyState whole title={t('invitations.refused')} action={<SignInLink />}>
      {t.maybe(`error.${code}`) ?? code}
    </EmptyState>
  );
}

function Joined({ offer, account }: { offer: InvitationOffer; account: string }) {
  const t = useText();
  return (
    <EmptyState whole title={t('invitations.done.title', { name: offer.customerName })} action={<SignInLink />}>
      {t.rich('invitations.done.text', { account: <Bdi>{account}</Bdi> })}
    </EmptyState>
  );
}

interface AcceptProps {
  offer: InvitationOffer;
  token: string;
  onJoined: (account: string) => void;
  onRefused: () => void;
}

function Accept({ offer, token, onJoined, onRefused }: AcceptProps) {
  const t = useText();
  const { customerName, invitedBy, role, email, kind } = offer;
  const isNew = kind === 'new';
  const form = useForm({
    initial: { name: offer.name, account: offer.account, password: '' },
    validate: ({ name, account, password }) => {
      const [problem] = checkPassword(password);
      return {
        ...(name.trim() === '' && { name: t('invitations.name.required') }),
        ...(isNew &&
          !isAccount(account.trim()) && {
            account: account.trim() === '' ? t('session.account.required') : t('error.field.ACCOUNT'),
          }),
        ...(problem !== undefined && {
          password: password === '' ? t('session.password.required') : t(`error.field.PASSWORD_${problem}`),
        }),
      };
    },
    codeFields: { ACCOUNT_TAKEN: 'account' },
    submit: async ({ name, account, password }) => {
      try {
        const body = { token, name: name.trim(), password, ...(isNew && { account: account.trim() }) };
        onJoined((await call('POST /invitations/accept', { body })).account);
      } catch (error) {
        if (isRefusal(error)) onRefused();
        throw error;
      }
    },
  });
  return (
    <>
      <h1>{t('invitations.title', { name: customerName })}</h1>
      <p className="ink-2">
        {t('invitations.lead', { by: invitedBy, name: customerName, role: t(`invitations.role.${role}`) })}{' '}
        {!isNew && t('invitations.rejoin', { account: offer.account })}
      </p>
      <Form {...form.formProps}>
        <Field label={t('invitations.email')}>
          <TextInput value={email} onChange={() => undefined} readOnly dir="ltr" />
        </Field>
        <Field label={t('invitations.name')} {...form.field('name')}>
          <TextInput {...form.bind('name')} autoComplete="name" maxLength={100} data-autofocus />
        </Field>
        {isNew && (
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
        )}
        <Field
          label={t('session.password')}
          hint={<PasswordRules password={form.values.password} />}
          {...form.field('password')}
        >
          <PasswordInput {...form.bind('password')} autoComplete="new-password" />
        </Field>
        <FormProblem>{form.problem}</FormProblem>
        <Button type="submit" variant="primary" size="large" block loading={form.busy}>
          {t('invitations.submit')}
        </Button>
      </Form>
    </>
  );
}
