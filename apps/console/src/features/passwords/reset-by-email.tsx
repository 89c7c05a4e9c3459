import { useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { codeError, emailError, foundErrors } from '../../lib/codes/typed-errors.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import { CodeField } from '../../ui/form/code-field.tsx';
import { EmailInput } from '../../ui/form/email-input.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { PasswordStrength } from '../../ui/form/password-strength.tsx';
import { PasswordInput } from '../../ui/form/text-input.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { type SendCode, useSendCode } from '../../ui/form/use-send-code.ts';
import { Note } from '../../ui/page/note.tsx';
import { newPasswordErrors } from './new-password.ts';
import './passwords.css';
import { type ResetState, useResetState } from './reset-state.ts';

interface ResetByEmailProps {
  /** Already known if the user is signed in. */
  email?: string;
  /** Shows the message where it is visible. */
  onDone: (message: string) => void;
}

/** A new password in three steps: the address, the code that was sent there, the password. */
export function ResetByEmail({ email = '', onDone }: ResetByEmailProps) {
  const t = useText();
  const [state, go] = useResetState(email);
  const [problem, setProblem] = useState<string | null>(null);
  const code = useSendCode('resetByEmail', (to: string) =>
    call('POST /codes', { body: { purpose: 'resetPassword', email: to } }),
  );
  return (
    <>
      <Steps at={state.step} />
      {problem !== null && <Note tone="danger">{problem}</Note>}
      {state.step === 1 && (
        <EmailStep
          email={state.email}
          waiting={code.secondsLeft}
          notSent={code.notSent}
          submit={async (to) => {
            setProblem(null);
            if (await code.trySending(to)) go({ step: 2, email: to });
          }}
        />
      )}
      {state.step === 2 && <CodeStep email={state.email} code={code} send={code.trySending} go={go} />}
      {state.step === 3 && (
        <PasswordStep
          grant={state.grant}
          onDone={() => {
            go({ step: 1, email: '' });
            onDone(t('passwords.reset.done'));
          }}
          onEnded={(why) => {
            setProblem(why);
            go({ step: 1, email: state.email });
          }}
        />
      )}
    </>
  );
}

const steps = [1, 2, 3] as const;

function Steps({ at }: { at: 1 | 2 | 3 }) {
  const t = useText();
  return (
    <ol className="reset-steps" aria-label={t('passwords.reset.steps')}>
      {steps.map((step) => (
        <li
          key={step}
          className={classNames(step < at && 'is-done', step === at && 'is-now')}
          aria-current={step === at ? 'step' : undefined}
        >
          {t(`passwords.reset.step.${step}`)}
        </li>
      ))}
    </ol>
  );
}

interface EmailStepProps {
  email: string;
  /** Seconds. */
  waiting: number;
  notSent: string | null;
  submit: (email: string) => Promise<void>;
}

function EmailStep({ email: known, waiting, notSent, submit }: EmailStepProps) {
  const t = useText();
  const form = useForm({
    initial: { email: known },
    validate: ({ email }) => foundErrors({ email: emailError(t, email) }),
    submit: ({ email }) => submit(email.trim()),
  });
  return (
    <Form {...form.formProps}>
      <Field label={t('passwords.email')} {...form.field('email')}>
        <EmailInput {...form.bind('email')} autoFocus data-autofocus />
      </Field>
      <FormProblem>{notSent ?? form.problem}</FormProblem>
      <Button type="submit" variant="primary" size="large" block loading={form.busy} disabled={waiting > 0}>
        {waiting > 0 ? t('passwords.code.resendIn', { seconds: waiting }) : t('passwords.reset.send')}
      </Button>
    </Form>
  );
}

interface CodeStepProps {
  email: string;
  code: SendCode;
  send: (email: string) => Promise<unknown>;
  go: (next: ResetState) => void;
}

function CodeStep({ email, code, send, go }: CodeStepProps) {
  const t = useText();
  const form = useForm({
    initial: { code: '' },
    validate: (values) => foundErrors({ code: codeError(t, values.code) }),
    codeFields: { CODE_INVALID: 'code' },
    submit: async ({ code: given }) => {
      const { grant } = await call('POST /password-resets/verify', { body: { email, code: given } });
      go({ step: 3, email, grant });
    },
  });
  return (
    <Form {...form.formProps}>
      <p className="reset-to ink-2">
        {t.rich('passwords.reset.sentTo', { email: <bdi className="strong">{email}</bdi> })}{' '}
        <Button variant="link" onClick={() => go({ step: 1, email })}>
          {t('passwords.reset.otherEmail')}
        </Button>
      </p>
      <CodeField
        bound={form.bind('code')}
        error={form.errorOf('code')}
        code={code}
        hint={t('passwords.code.sentHint')}
        autoFocus
        onSend={() => void send(email)}
      />
      <FormProblem>{form.problem}</FormProblem>
      <Button type="submit" variant="primary" size="large" block loading={form.busy}>
        {t('passwords.reset.verify')}
      </Button>
    </Form>
  );
}

interface PasswordStepProps {
  grant: string;
  onDone: () => void;
  /** The ten minutes are over. */
  onEnded: (why: string) => void;
}

function PasswordStep({ grant, onDone, onEnded }: PasswordStepProps) {
  const t = useText();
  const form = useForm({
    initial: { newPassword: '', confirmPassword: '' },
    validate: (values) => newPasswordErrors(t, 'email', values),
    submit: async (values) => {
      try {
        await call('POST /password-resets', { body: { grant, ...values } });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'RESET_ENDED') throw error;
        onEnded(t('error.RESET_ENDED'));
        return;
      }
      onDone();
    },
  });
  return (
    <Form {...form.formProps}>
      <Field
        label={t('passwords.new')}
        hint={<PasswordStrength password={form.values.newPassword} />}
        {...form.field('newPassword')}
      >
        <PasswordInput {...form.bind('newPassword')} autoComplete="new-password" autoFocus data-autofocus />
      </Field>
      <Field label={t('passwords.confirm')} {...form.field('confirmPassword')}>
        <PasswordInput {...form.bind('confirmPassword')} autoComplete="new-password" />
      </Field>
      <FormProblem>{form.problem}</FormProblem>
      <Button type="submit" variant="primary" size="large" block loading={form.busy}>
        {t('passwords.reset.submit')}
      </Button>
    </Form>
  );
}
