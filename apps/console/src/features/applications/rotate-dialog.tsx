import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { RotateSecretDialog } from '../../ui/layers/rotate-secret-dialog.tsx';
import type { ShownSecrets } from './shown-secrets-dialog.tsx';

interface RotateDialogProps {
  appId: string;
  what: 'secret' | 'smpp-password';
  onSecrets: (secrets: ShownSecrets) => void;
  onClose: () => void;
}

/** A new password of an application. */
export function RotateDialog({ appId, what, onSecrets, onClose }: RotateDialogProps) {
  const t = useText();
  const refresh = useRefresh();
  const of = what === 'secret' ? 'secret' : 'smpp';
  return (
    <RotateSecretDialog
      title={t(`applications.${of}.rotate.title`)}
      text={t('applications.secret.rotate.text')}
      saveLabel={t(`applications.${of}.rotate`)}
      onRotate={async (body) => {
        const input = { params: { appId }, body };
        onSecrets(
          what === 'secret'
            ? { appSecret: (await call('POST /applications/:appId/secret', input)).appSecret }
            : { smppPassword: (await call('POST /applications/:appId/smpp-password', input)).smppPassword },
        );
        toast(t('applications.rotated'));
        await refresh('/applications');
        onClose();
      }}
      onClose={onClose}
    />
  );
}
