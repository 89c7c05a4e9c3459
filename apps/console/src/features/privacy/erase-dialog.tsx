import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { PhoneNumber } from '../../ui/data/text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { PasswordInput, TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { Note } from '../../ui/page/page.tsx';
import type { FoundNumber } from './found-number.ts';

interface EraseDialogProps {
  customerId: string;
  found: FoundNumber;
  onErased: () => void;
  onClose: () => void;
}

/** Confirms the erasure of a number: asks for its last digits, and the user's own password. */
export function EraseDialog({ customerId, found, onErased, onClose }: EraseDialogProps) {
  const t = useText();
  const refresh = useRefresh();
  const { mobileNumber, underWayCount } = found;
  const digits = mobileNumber.slice(-4);
  const form = useForm({
    initial: { typed: '', currentPassword: '' },
    validate: ({ typed, currentPassword }) => ({
      ...(typed.trim() !== digits && { typed: t('privacy.erase.typed.wrong') }),
      ...(currentPassword === '' && {
        currentPassword: t('ui.required.message', { label: t('privacy.erase.password') }),
      }),
    }),
    submit: async ({ currentPassword }) => {
      const body = { mobileNumber, currentPassword };
      await call('POST /privacy/:customerId/erase', { params: { customerId }, body });
      toast(t('privacy.erase.done'));
      await refresh('/privacy', '/records');
      onErased();
      onClose();
    },
    codeFields: { REAUTHENTICATE: 'currentPassword' },
  });
  return (
    <Dialog
      role="alertdialog"
      closeOnMask={false}
      title={t.rich('privacy.erase.title', { number: <PhoneNumber value={mobileNumber} /> })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} data-autofocus>
            {t('ui.cancel')}
          </Button>
          <Button variant="danger" filled loading={form.busy} onClick={() => void form.send()}>
            {t('privacy.erase')}
          </Button>
        </>
      }
    >
      <Form {...form.formProps}>
        <p>{t('privacy.erase.text')}</p>
        {underWayCount > 0 && <Note tone="warning">{t('privacy.erase.underWay', { count: underWayCount })}</Note>}
        <Field label={t('privacy.erase.typed', { digits })} required {...form.field('typed')}>
          <TextInput code inputMode="numeric" autoComplete="off" {...form.bind('typed')} />
        </Field>
        <Field label={t('privacy.erase.password')} required {...form.field('currentPassword')}>
          <PasswordInput autoComplete="current-password" {...form.bind('currentPassword')} />
        </Field>
        <FormProblem>{form.problem}</FormProblem>
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </Form>
    </Dialog>
  );
}
