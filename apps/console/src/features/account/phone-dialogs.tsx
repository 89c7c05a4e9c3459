import type { Account } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { phoneError } from '../../lib/codes/phone-error.ts';
import { codeError, foundErrors } from '../../lib/codes/typed-errors.ts';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { CodeField } from '../../ui/form/code-field.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { PhoneInput } from '../../ui/form/phone-input.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { useSendCode } from '../../ui/form/use-send-code.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { type StepUp, StepUpField, stepUpBody, stepUpCodes } from './step-up-field.tsx';

interface PhoneDialogProps {
  account: Account;
  onClose: () => void;
}

const stepUpErrors = (t: Text, byApp: boolean, { currentPassword, totpCode }: StepUp) =>
  foundErrors({
    currentPassword: !byApp && currentPassword === '' ? t('account.password.required') : undefined,
    totpCode: byApp && !/^\d{3} ?\d{3}$/.test(totpCode.trim()) ? t('account.totp.code.form') : undefined,
  });

/** Sets the user's own phone in two steps: the number with proof of identity, then the code sent to it. */
export function SetPhone({ account, onClose }: PhoneDialogProps) {
  const [phone, setPhone] = useState<string | null>(null);
  const code = useSendCode('setPhone', (body: { phone: string } & Partial<StepUp>) =>
    call('POST /account/phone/code', { body }),
  );
  return phone === null ? (
    <NumberStep
      account={account}
      send={async (body) => {
        await code.send(body);
        setPhone(body.phone);
      }}
      onClose={onClose}
    />
  ) : (
    <CodeStep
      phone={phone}
      code={code}
      again={() => void code.trySending({ phone })}
      onOther={() => setPhone(null)}
      onClose={onClose}
    />
  );
}

interface NumberStepProps extends PhoneDialogProps {
  send: (body: { phone: string } & Partial<StepUp>) => Promise<void>;
}

function NumberStep({ account, send, onClose }: NumberStepProps) {
  const t = useText();
  const byApp = account.twoFactor.totpTime !== null;
  const form = useForm({
    initial: { phone: '', currentPassword: '', totpCode: '' },
    validate: (values) => ({
      ...foundErrors({ phone: phoneError(t, values.phone) }),
      ...stepUpErrors(t, byApp, values),
    }),
    codeFields: stepUpCodes,
    submit: (values) => send({ phone: values.phone.trim(), ...stepUpBody(values, byApp) }),
  });
  return (
    <Dialog
      title={t(account.phone === null ? 'account.phone.add' : 'account.phone.change')}
      closeOnMask={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" loading={form.busy} onClick={() => void form.send()}>
            {t('passwords.code.send')}
          </Button>
        </>
      }
    >
      <Form {...form.formProps}>
        <p className="ink-2">{t('account.phone.lead')}</p>
        <Field
          label={t('passwords.phone')}
          hint={form.errorOf('phone') ? undefined : t('account.phone.hint')}
          {...form.field('phone')}
        >
          <PhoneInput {...form.bind('phone')} data-autofocus />
        </Field>
        <StepUpField byApp={byApp} form={form} />
        <FormProblem>{form.problem}</FormProblem>
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </Form>
    </Dialog>
  );
}

interface CodeStepProps {
  phone: string;
  code: Parameters<typeof CodeField>[0]['code'];
  again: () => void;
  onOther: () => void;
  onClose: () => void;
}

function CodeStep({ phone, code, again, onOther, onClose }: CodeStepProps) {
  const t = useText();
  const refresh = useRefresh();
  const form = useForm({
    initial: { code: '' },
    validate: (values) => foundErrors({ code: codeError(t, values.code) }),
    codeFields: { CODE_INVALID: 'code' },
    submit: async ({ code: given }) => {
      await call('POST /account/phone', { body: { phone, code: given } });
      await refresh('/account');
      toast(t('account.phone.saved'));
      onClose();
    },
  });
  return (
    <Dialog
      title={t('account.phone.confirm')}
      closeOnMask={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" loading={form.busy} onClick={() => void form.send()}>
            {t('account.phone.use')}
          </Button>
        </>
      }
    >
      <Form {...form.formProps}>
        <p className="ink-2">
          {t.rich('account.phone.sentTo', {
            phone: (
              <bdi key="phone" dir="ltr" className="strong">
                {phone}
              </bdi>
            ),
          })}{' '}
          <Button variant="link" onClick={onOther}>
            {t('account.phone.other')}
          </Button>
        </p>
        <CodeField
          bound={{ ...form.bind('code') }}
          error={form.errorOf('code')}
          code={code}
          hint={t('account.phone.codeHint')}
          onSend={again}
        />
        <FormProblem>{form.problem}</FormProblem>
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </Form>
    </Dialog>
  );
}

export function RemovePhone({ account, onClose }: PhoneDialogProps) {
  const t = useText();
  const refresh = useRefresh();
  const byApp = account.twoFactor.totpTime !== null;
  const form = useForm({
    initial: { currentPassword: '', totpCode: '' },
    validate: (values) => stepUpErrors(t, byApp, values),
    codeFields: stepUpCodes,
    submit: async (values) => {
      await call('POST /account/phone/remove', { body: stepUpBody(values, byApp) });
      await refresh('/account');
      toast(t('account.phone.removed'));
      onClose();
    },
  });
  return (
    <Dialog
      role="alertdialog"
      title={t('account.phone.remove.title')}
      closeOnMask={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="danger" filled loading={form.busy} onClick={() => void form.send()}>
            {t('account.phone.remove')}
          </Button>
        </>
      }
    >
      <Form {...form.formProps}>
        <p className="ink-2">{t('account.phone.remove.text')}</p>
        <StepUpField byApp={byApp} form={form} autofocus />
        <FormProblem>{form.problem}</FormProblem>
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </Form>
    </Dialog>
  );
}
