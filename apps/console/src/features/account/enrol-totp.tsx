import { useEffect, useEffectEvent, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { CopyButton, Mono } from '../../ui/data/text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { QrCode } from './qr-code.tsx';

interface EnrolTotpProps {
  /** The password was given a moment ago, at the sign-in. */
  isFresh?: boolean;
  /** With the recovery codes, empty if there are some already. */
  onDone: (recoveryCodes: readonly string[]) => unknown;
  onClose: () => void;
}

interface Seed {
  secret: string;
  uri: string;
}

/** Setting an authenticator app up: the password, the picture to scan, a code of the app. */
export function EnrolTotp({ isFresh = false, onDone, onClose }: EnrolTotpProps) {
  const t = useText();
  const [seed, setSeed] = useState<Seed | null>(null);
  if (seed !== null) return <ScanDialog seed={seed} onDone={onDone} onClose={onClose} />;
  if (isFresh) return <FreshSeed onSeed={setSeed} onClose={onClose} />;
  return (
    <PasswordDialog
      title={t('account.totp.add')}
      confirmLabel={t('account.continue')}
      onConfirm={async (currentPassword) =>
        setSeed(await call('POST /account/two-factor', { body: { currentPassword } }))
      }
      onClose={onClose}
    >
      {t('account.totp.password')}
    </PasswordDialog>
  );
}

function FreshSeed({ onSeed, onClose }: { onSeed: (seed: Seed) => void; onClose: () => void }) {
  const t = useText();
  const [error, setError] = useState<unknown>(null);
  const begin = useEffectEvent(async () => {
    setError(null);
    try {
      onSeed(await call('POST /account/two-factor', { body: {} }));
    } catch (failure) {
      setError(failure);
    }
  });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round is another try.
  useEffect(() => void begin(), [round]);
  return (
    <Dialog title={t('account.totp.add')} onClose={onClose}>
      {error ? <FailedState error={error} onRetry={() => setRound(round + 1)} /> : <SkeletonLines />}
    </Dialog>
  );
}

function ScanDialog({ seed, onDone, onClose }: { seed: Seed } & Pick<EnrolTotpProps, 'onDone' | 'onClose'>) {
  const t = useText();
  const form = useForm({
    initial: { code: '' },
    validate: ({ code }) => (/^\d{6}$/.test(code.replaceAll(/\s/g, '')) ? {} : { code: t('account.totp.code.form') }),
    codeFields: { TOTP_CODE_WRONG: 'code' },
    submit: async ({ code }) => {
      const { recoveryCodes } = await call('POST /account/two-factor/confirm', { body: { code } });
      await onDone(recoveryCodes);
    },
  });
  return (
    <Dialog
      title={t('account.totp.add')}
      closeOnMask={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" loading={form.busy} onClick={() => void form.send()}>
            {t('account.totp.confirm')}
          </Button>
        </>
      }
    >
      <ol className="account-steps">
        <li>
          <p>{t('account.totp.scan')}</p>
          <QrCode text={seed.uri} label={t('account.totp.qr')} />
          <p className="small ink-2">{t('account.totp.secret')}</p>
          <span className="copy-text">
            <Mono>{seed.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</Mono>
            <CopyButton text={seed.secret} label={t('account.totp.copySecret')} />
          </span>
        </li>
        <li>
          <Form {...form.formProps}>
            <Field label={t('account.totp.code')} {...form.field('code')}>
              <TextInput
                {...form.bind('code')}
                code
                className="account-code"
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={7}
                placeholder="000000"
                data-autofocus
              />
            </Field>
            <FormProblem>{form.problem}</FormProblem>
          </Form>
        </li>
      </ol>
    </Dialog>
  );
}
