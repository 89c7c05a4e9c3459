import type { ApplicationDetail } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { DateTime } from '../../ui/data/text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Section } from '../../ui/page/page.tsx';
import type { ShownSecrets } from './shown-secrets-dialog.tsx';

interface ApplicationSecretsProps {
  application: ApplicationDetail;
  mayWrite: boolean;
  onSecrets: (secrets: ShownSecrets) => void;
}

/** The live passwords, by their last characters, and the making of new ones. */
export function ApplicationSecrets({ application, mayWrite, onSecrets }: ApplicationSecretsProps) {
  const t = useText();
  const refresh = useRefresh();
  const [asking, setAsking] = useState<'secret' | 'smpp-password' | null>(null);
  const params = { appId: application.appId };

  const rotate = async () => {
    if (asking === 'secret') {
      const { appSecret } = await call('POST /applications/:appId/secret', { params });
      onSecrets({ appSecret });
    } else {
      const { smppPassword } = await call('POST /applications/:appId/smpp-password', { params });
      onSecrets({ smppPassword });
    }
    toast(t('applications.rotated'));
    await refresh('/applications');
  };

  return (
    <Section title={t('applications.section.passwords')}>
      <table className="plain-table">
        <caption className="visually-hidden">{t('applications.section.passwords')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('applications.secret.app')}</th>
            <th scope="col">{t('applications.secret.lastUsed')}</th>
            <th scope="col">{t('applications.secret.until')}</th>
          </tr>
        </thead>
        <tbody>
          {application.secrets.map((secret) => (
            <tr key={secret.secretId}>
              <td>{t('applications.secret.hint', { hint: secret.hint })}</td>
              <td>{secret.lastUsedTime ? <DateTime value={secret.lastUsedTime} /> : t('applications.secret.never')}</td>
              <td>{secret.expireTime ? <DateTime value={secret.expireTime} /> : t('applications.secret.current')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {mayWrite && (
        <div className="row">
          <Button size="small" onClick={() => setAsking('secret')}>
            {t('applications.secret.rotate')}
          </Button>
          <Button size="small" onClick={() => setAsking('smpp-password')}>
            {t('applications.smpp.rotate')}
          </Button>
        </div>
      )}
      {asking && (
        <ConfirmDialog
          title={t(asking === 'secret' ? 'applications.secret.rotate.title' : 'applications.smpp.rotate.title')}
          confirmLabel={t(asking === 'secret' ? 'applications.secret.rotate' : 'applications.smpp.rotate')}
          onConfirm={rotate}
          onClose={() => setAsking(null)}
        >
          {t('applications.secret.rotate.text')}
        </ConfirmDialog>
      )}
    </Section>
  );
}
