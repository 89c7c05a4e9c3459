import type { InvitationOffer } from '@pahatid/contract';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { foundErrors } from '../../lib/codes/typed-errors.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Brand } from '../../ui/base/brand.tsx';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { Bdi } from '../../ui/data/text.tsx';
import { EmptyState, FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import {
  FirstPasswordField,
  FirstSubmit,
  firstPasswordError,
  NewAccountField,
  newAccountError,
} from './account-fields.tsx';
import './setup.css';

/** Errors after which the link is unusable, whatever is typed. */
const refusals: ReadonlySet<string> = new Set([
  'INVITATION_INVALID',
  'INVITATION_EXPIRED',
  'EMAIL_TAKEN',
  'CUSTOMER_SUSPENDED',
]);
const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError && refusals.has(error.code);

/** `/invitation#token=…`: an invited user becomes a member. The browser never sends the part after the `#`. */
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
  const { locale } = useTexts();
  const { customerName, invitedBy, role, email, kind } = offer;
  const isNew = kind === 'new';
  const form = useForm({
    initial: { name: offer.name, account: offer.account, password: '' },
    validate: ({ name, account, password }) =>
      foundErrors({
        name: name.trim() === '' ? t('invitations.name.required') : undefined,
        account: isNew ? newAccountError(t, account) : undefined,
        password: firstPasswordError(t, password),
      }),
    codeFields: { ACCOUNT_TAKEN: 'account' },
    submit: async ({ name, account, password }) => {
      try {
        const body = { token, name: name.trim(), password, locale, ...(isNew && { account: account.trim() }) };
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
          <TextInput {...form.bind('name')} autoComplete="name" maxLength={100} autoFocus />
        </Field>
        {isNew && <NewAccountField bound={form.bind('account')} error={form.errorOf('account')} />}
        <FirstPasswordField bound={form.bind('password')} error={form.errorOf('password')} />
        <FormProblem>{form.problem}</FormProblem>
        <FirstSubmit busy={form.busy}>{t('invitations.submit')}</FirstSubmit>
      </Form>
    </>
  );
}
