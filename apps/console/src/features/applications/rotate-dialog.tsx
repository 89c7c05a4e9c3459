import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { Checkbox, PasswordInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';
import type { ShownSecrets } from './shown-secrets-dialog.tsx';

interface RotateDialogProps {
  appId: string;
  what: 'secret' | 'smpp-password';
  onSecrets: (secrets: ShownSecrets) => void;
  onClose: () => void;
}

/** A new password against the person's own; the one before goes on for 24 hours, or ends at once. */
export function RotateDialog({ appId, what, onSecrets, onClose }: RotateDialogProps) {
  const t = useText();
  const refresh = useRefresh();
  const label = t(what === 'secret' ? 'applications.secret.rotate' : 'applications.smpp.rotate');
  const form = useForm({
    initial: { currentPassword: '', endPrevious: false },
    validate: ({ currentPassword }) =>
      currentPassword === ''
        ? { currentPassword: t('ui.required.message', { label: t('applications.secret.password') }) }
        : {},
    submit: async (body) => {
      const input = { params: { appId }, body };
      onSecrets(
        what === 'secret'
          ? { appSecret: (await call('POST /applications/:appId/secret', input)).appSecret }
          : { smppPassword: (await call('POST /applications/:appId/smpp-password', input)).smppPassword },
      );
      toast(t('applications.rotated'));
      await refresh('/applications');
      onClose();
    },
    codeFields: { REAUTHENTICATE: 'currentPassword' },
  });
  return (
    <Dialog
      role="alertdialog"
      closeOnMask={false}
      title={t(what === 'secret' ? 'applications.secret.rotate.title' : 'applications.smpp.rotate.title')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" filled loading={form.busy} onClick={() => void form.send()}>
            {label}
          </Button>
        </>
      }
    >
      <Form {...form.formProps}>
        <p>{t('applications.secret.rotate.text')}</p>
        <Field label={t('applications.secret.password')} required {...form.field('currentPassword')}>
          <PasswordInput autoComplete="current-password" data-autofocus {...form.bind('currentPassword')} />
        </Field>
        <Checkbox checked={form.values.endPrevious} onChange={(endPrevious) => form.set({ endPrevious })}>
          {t('applications.secret.endPrevious')}
          <span className="cell-note">{t('applications.secret.endPrevious.note')}</span>
        </Checkbox>
        <FormProblem>{form.problem}</FormProblem>
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </Form>
    </Dialog>
  );
}
