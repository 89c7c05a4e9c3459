import { useQuery } from '@tanstack/react-query';
import { type StepUp, StepUpField, stepUpBody, stepUpCodes } from '../features/account/step-up-field.tsx';
import { call } from '../lib/api/call.ts';
import { useText } from '../lib/i18n/use-text.tsx';
import { FormDialog } from '../ui/form/form-dialog.tsx';
import { useForm } from '../ui/form/use-form.ts';

interface ProveDialogProps {
  onProved: () => void;
  onClose: () => void;
}

/** Asks for the password again, or a code of the authenticator app if that is enabled. */
export default function ProveDialog({ onProved, onClose }: ProveDialogProps) {
  const account = useQuery({ queryKey: ['account', 'proof'], queryFn: () => call('GET /account'), gcTime: 0 });
  if (account.isPending) return null;
  const byApp = account.data !== undefined && account.data.twoFactor.totpTime !== null;
  return <Prove byApp={byApp} onProved={onProved} onClose={onClose} />;
}

function Prove({ byApp, onProved, onClose }: ProveDialogProps & { byApp: boolean }) {
  const t = useText();
  const form = useForm({
    initial: { currentPassword: '', totpCode: '' } satisfies StepUp,
    validate: ({ currentPassword, totpCode }) => {
      if (!byApp && currentPassword === '') return { currentPassword: t('account.password.required') };
      if (byApp && !/^\d{3} ?\d{3}$/.test(totpCode.trim())) return { totpCode: t('account.totp.code.form') };
      return {};
    },
    codeFields: stepUpCodes,
    submit: async (values) => {
      await call('POST /session/proof', { body: stepUpBody(values, byApp) });
      onProved();
    },
  });
  return (
    <FormDialog title={t('account.proof.title')} form={form} saveLabel={t('account.proof.confirm')} onClose={onClose}>
      <p>{t(byApp ? 'account.proof.code' : 'account.proof.password')}</p>
      <StepUpField byApp={byApp} form={form} autofocus />
    </FormDialog>
  );
}
