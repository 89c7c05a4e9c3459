import { useText } from '../../lib/i18n/use-text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { PasswordInput, TextInput } from '../../ui/form/inputs.tsx';

export interface StepUp {
  currentPassword: string;
  totpCode: string;
}

/**
 * The additional proof that the call requires: a code of the authenticator app if that is enabled, else the password.
 */
export const stepUpBody = ({ currentPassword, totpCode }: StepUp, byApp: boolean): Partial<StepUp> =>
  byApp ? { totpCode: totpCode.replaceAll(' ', '') } : { currentPassword };

export const stepUpCodes = { REAUTHENTICATE: 'currentPassword', TOTP_CODE_WRONG: 'totpCode' } as const;

interface Bound {
  name: string;
  value: string;
  onChange: (value: string) => void;
  onBlur: () => void;
}
interface StepUpFieldProps {
  byApp: boolean;
  form: {
    bind: (name: keyof StepUp) => Bound;
    field: (name: keyof StepUp) => { error: string | undefined };
  };
  autofocus?: boolean;
}

export function StepUpField({ byApp, form, autofocus = false }: StepUpFieldProps) {
  const t = useText();
  if (byApp)
    return (
      <Field label={t('account.totp.code')} {...form.field('totpCode')}>
        <TextInput
          {...form.bind('totpCode')}
          code
          inputMode="numeric"
          autoComplete="one-time-code"
          data-autofocus={autofocus}
        />
      </Field>
    );
  return (
    <Field label={t('account.password')} {...form.field('currentPassword')}>
      <PasswordInput {...form.bind('currentPassword')} autoComplete="current-password" data-autofocus={autofocus} />
    </Field>
  );
}
