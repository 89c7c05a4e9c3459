import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { CopyText } from '../../ui/data/text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { Checkbox, PasswordInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { Facts, Note } from '../../ui/page/page.tsx';

/** A new signing secret against the person's password, then its text, this one time. */
export function RotateSecret({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  return secret === null ? (
    <AskRotation endpointId={endpointId} onSecret={setSecret} onClose={onClose} />
  ) : (
    <ShownSecret secret={secret} onClose={onClose} />
  );
}

interface AskRotationProps {
  endpointId: string;
  onSecret: (secret: string) => void;
  onClose: () => void;
}

function AskRotation({ endpointId, onSecret, onClose }: AskRotationProps) {
  const t = useText();
  const refresh = useRefresh();
  const form = useForm({
    initial: { currentPassword: '', endPrevious: false },
    validate: ({ currentPassword }) =>
      currentPassword === ''
        ? { currentPassword: t('ui.required.message', { label: t('applications.secret.password') }) }
        : {},
    submit: async (body) => {
      const { secret } = await call('POST /callback-endpoints/:endpointId/secret', { params: { endpointId }, body });
      toast(t('callbacks.secret.made'));
      onSecret(secret);
      await refresh('/applications', '/callback-endpoints');
    },
    codeFields: { REAUTHENTICATE: 'currentPassword' },
  });
  return (
    <FormDialog
      title={t('callbacks.secret.rotate.title')}
      form={form}
      saveLabel={t('callbacks.secret.rotate')}
      onClose={onClose}
    >
      <p>{t('callbacks.secret.rotate.text')}</p>
      <Field label={t('applications.secret.password')} required {...form.field('currentPassword')}>
        <PasswordInput autoComplete="current-password" data-autofocus {...form.bind('currentPassword')} />
      </Field>
      <Checkbox checked={form.values.endPrevious} onChange={(endPrevious) => form.set({ endPrevious })}>
        {t('applications.secret.endPrevious')}
        <span className="cell-note">{t('applications.secret.endPrevious.note')}</span>
      </Checkbox>
    </FormDialog>
  );
}

/** A click beside it does not close it: what is lost here is lost. */
function ShownSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const t = useText();
  return (
    <Dialog
      title={t('callbacks.secret')}
      closeOnMask={false}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('applications.shown.done.one')}
        </Button>
      }
    >
      <Note tone="warning">{t('callbacks.secret.once')}</Note>
      <Facts
        items={[
          {
            key: 'secret',
            label: t('callbacks.secret'),
            value: <CopyText text={secret} label={t('callbacks.secret')} />,
          },
        ]}
      />
    </Dialog>
  );
}
