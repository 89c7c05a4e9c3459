import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { RotateSecretDialog } from '../../ui/layers/rotate-secret-dialog.tsx';
import { ShownOnceDialog } from '../../ui/layers/shown-once-dialog.tsx';

/** A new signing secret against the person's password, then its text, this one time. */
export function RotateSecret({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const [secret, setSecret] = useState<string | null>(null);
  if (secret === null)
    return (
      <RotateSecretDialog
        title={t('callbacks.secret.rotate.title')}
        text={t('callbacks.secret.rotate.text')}
        saveLabel={t('callbacks.secret.rotate')}
        onRotate={async (body) => {
          const made = await call('POST /callback-endpoints/:endpointId/secret', { params: { endpointId }, body });
          toast(t('callbacks.secret.made'));
          setSecret(made.secret);
          await refresh('/applications', '/callback-endpoints');
        }}
        onClose={onClose}
      />
    );
  return (
    <ShownOnceDialog
      title={t('callbacks.secret')}
      warning={t('callbacks.secret.once')}
      secrets={[{ key: 'secret', label: t('callbacks.secret'), text: secret }]}
      doneLabel={t('applications.shown.done.one')}
      onClose={onClose}
    />
  );
}
