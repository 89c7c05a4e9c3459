import type { Passkey } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';

const longestName = 60;

/** Another name for a passkey. */
export function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const form = useForm({
    initial: { name: passkey.name },
    validate: ({ name }) => (name.trim() === '' ? { name: t('account.passkey.name.required') } : {}),
    submit: async ({ name }) => {
      const params = { passkeyId: passkey.passkeyId };
      await call('PATCH /account/passkeys/:passkeyId', { params, body: { name: name.trim() } });
      await refresh('/account/passkeys');
      onClose();
    },
  });
  return (
    <FormDialog title={t('account.passkey.rename')} form={form} onClose={onClose}>
      <Field label={t('account.passkey.name')} {...form.field('name')}>
        <TextInput {...form.bind('name')} maxLength={longestName} dir="auto" data-autofocus />
      </Field>
    </FormDialog>
  );
}
