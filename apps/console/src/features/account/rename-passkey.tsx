import type { Passkey } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';

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
    <Dialog
      title={t('account.passkey.rename')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" loading={form.busy} onClick={() => void form.send()}>
            {t('ui.save')}
          </Button>
        </>
      }
    >
      <Form {...form.formProps}>
        <Field label={t('account.passkey.name')} {...form.field('name')}>
          <TextInput {...form.bind('name')} maxLength={longestName} dir="auto" data-autofocus />
        </Field>
        <FormProblem>{form.problem}</FormProblem>
      </Form>
    </Dialog>
  );
}
