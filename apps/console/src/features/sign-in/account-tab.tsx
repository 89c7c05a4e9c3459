import type { Session } from '@pahatid/contract';
import { lazy, Suspense, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { loadWithTexts } from '../../ui/feedback/load-error.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { PasswordInput, TextInput } from '../../ui/form/text-input.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { LockedNote } from './locked-note.tsx';

/** Rarely needed. */
const Captcha = lazy(() => loadWithTexts(() => import('./captcha.tsx')));

/** As many failures as the server asks no puzzle for. */
const freeFailures = 3;

export interface SignInTabProps {
  /** Called when signed in: opens the screen that the user wanted. */
  enter: (session: Session) => Promise<void>;
  /** Whether the error only means that a second factor is asked for, which is then shown. */
  askSecond: (error: unknown) => boolean;
  /** Whether the first field gets the focus. */
  autoFocus: boolean;
}

/** By account and password; after three failures with the human-machine verification. */
export function AccountTab({ enter, askSecond, autoFocus, onForgot }: SignInTabProps & { onForgot: () => void }) {
  const t = useText();
  /** 0: no puzzle is required; incremented with each puzzle, so that each one starts fresh. */
  const [puzzle, setPuzzle] = useState(0);
  const [pass, setPass] = useState<string | null>(null);
  const [isMissing, setIsMissing] = useState(false);
  /** Failures that the server reported with the puzzle, without checking the password. */
  const [failures, setFailures] = useState(0);
  const [lockedUntil, setLockedUntil] = useState<number | null>(null);

  const askPuzzle = () => {
    setPass(null);
    setIsMissing(false);
    setPuzzle((before) => before + 1);
  };
  const form = useForm({
    initial: { account: '', password: '' },
    validate: (values) => ({
      ...(values.account.trim() === '' && { account: t('session.account.required') }),
      ...(values.password === '' && { password: t('session.password.required') }),
    }),
    codeFields: { PASSWORD_INCORRECT: 'password' },
    submit: async ({ account, password }) => {
      if (puzzle > 0 && pass === null) {
        setIsMissing(true);
        return;
      }
      setLockedUntil(null);
      const captcha = pass === null ? {} : { captcha: pass };
      let session: Session;
      try {
        session = await call('POST /session', { body: { account: account.trim(), password, ...captcha } });
      } catch (error) {
        if (askSecond(error)) return;
        const code = error instanceof ApiError ? error.code : null;
        const params = error instanceof ApiError ? error.params : {};
        const wantsPuzzle =
          code === 'CAPTCHA_REQUIRED' ||
          (code === 'PASSWORD_INCORRECT' && Number(params.count) >= freeFailures) ||
          (puzzle > 0 && code !== 'NETWORK');
        if (wantsPuzzle) askPuzzle();
        setFailures(code === 'CAPTCHA_REQUIRED' ? Number(params.count) : 0);
        // The requirement and the count are shown with the puzzle.
        if (code === 'CAPTCHA_REQUIRED') return;
        if (code !== 'SIGN_IN_LOCKED') throw error;
        setLockedUntil(Date.now() + Number(params.retryAfterS) * 1000);
        return;
      }
      await enter(session);
    },
  });

  return (
    <Form {...form.formProps}>
      <Field label={t('session.account')} {...form.field('account')}>
        <TextInput
          {...form.bind('account')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={autoFocus}
          data-autofocus
        />
      </Field>
      <Field
        label={t('session.password')}
        aside={
          <a
            className="button is-link is-small"
            href="/?login=1&forgot=phone"
            // The field keeps the focus: the error that shows when it is left would move the link from under the click.
            onMouseDown={(event) => event.preventDefault()}
            onClick={(event) => {
              event.preventDefault();
              onForgot();
            }}
          >
            {t('session.forgot')}
          </a>
        }
        {...form.field('password')}
      >
        <PasswordInput {...form.bind('password')} autoComplete="current-password" />
      </Field>
      {puzzle > 0 && (
        <Suspense fallback={<Skeleton height={204} />}>
          <Captcha
            key={puzzle}
            failures={failures}
            error={isMissing && pass === null ? t('captcha.missing') : undefined}
            onPass={(given) => {
              setPass(given);
              setIsMissing(false);
            }}
          />
        </Suspense>
      )}
      {lockedUntil !== null && <LockedNote until={lockedUntil} onOver={() => setLockedUntil(null)} />}
      <FormProblem>{form.problem}</FormProblem>
      <Button type="submit" variant="primary" size="large" block loading={form.busy}>
        {t('session.submit')}
      </Button>
    </Form>
  );
}
