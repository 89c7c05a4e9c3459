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
import { RotateDialog } from './rotate-dialog.tsx';
import type { ShownSecrets } from './shown-secrets-dialog.tsx';

interface ApplicationSecretsProps {
  application: ApplicationDetail;
  mayWrite: boolean;
  onSecrets: (secrets: ShownSecrets) => void;
}

type Secret = ApplicationDetail['secrets'][number];

/** The valid passwords of both kinds, two of each at most, with creating new ones and ending replaced ones. */
export function ApplicationSecrets({ application, mayWrite, onSecrets }: ApplicationSecretsProps) {
  const t = useText();
  const refresh = useRefresh();
  const [asking, setAsking] = useState<'secret' | 'smpp-password' | null>(null);
  const [ending, setEnding] = useState<Secret | null>(null);
  const { appId } = application;

  const end = async ({ secretId }: Secret) => {
    await call('DELETE /applications/:appId/secrets/:secretId', { params: { appId, secretId } });
    toast(t('applications.secret.ended'));
    await refresh('/applications');
  };
  const rows = [
    ...application.secrets.map((secret) => ({ secret, kind: t('applications.secret.app') })),
    ...application.smpp.passwords.map((secret) => ({ secret, kind: t('applications.secret.smpp') })),
  ];

  return (
    <Section title={t('applications.section.passwords')}>
      <table className="plain-table is-stacked">
        <caption className="visually-hidden">{t('applications.section.passwords')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('applications.secret.kind')}</th>
            <th scope="col">{t('applications.secret.created')}</th>
            <th scope="col">{t('applications.secret.lastUsed')}</th>
            <th scope="col">{t('applications.secret.until')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ secret, kind }) => (
            <tr key={secret.secretId}>
              <td data-label={t('applications.secret.kind')}>
                <span>
                  {kind}
                  {secret.hint && (
                    <span className="cell-note">{t('applications.secret.hint', { hint: secret.hint })}</span>
                  )}
                </span>
              </td>
              <td data-label={t('applications.secret.created')}>
                <DateTime value={secret.createTime} />
              </td>
              <td data-label={t('applications.secret.lastUsed')}>
                {secret.lastUsedTime ? <DateTime value={secret.lastUsedTime} /> : t('applications.secret.never')}
              </td>
              <td data-label={t('applications.secret.until')}>
                {secret.expireTime ? (
                  <span className="row">
                    <DateTime value={secret.expireTime} />
                    {mayWrite && (
                      <Button size="small" variant="danger" onClick={() => setEnding(secret)}>
                        {t('applications.secret.end')}
                      </Button>
                    )}
                  </span>
                ) : (
                  t('applications.secret.current')
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {mayWrite && (
        <div className="row wrap">
          <Button size="small" onClick={() => setAsking('secret')}>
            {t('applications.secret.rotate')}
          </Button>
          <Button size="small" onClick={() => setAsking('smpp-password')}>
            {t('applications.smpp.rotate')}
          </Button>
        </div>
      )}
      {asking && <RotateDialog appId={appId} what={asking} onSecrets={onSecrets} onClose={() => setAsking(null)} />}
      {ending && (
        <ConfirmDialog
          danger
          title={t('applications.secret.end.title')}
          confirmLabel={t('applications.secret.end')}
          onConfirm={() => end(ending)}
          onClose={() => setEnding(null)}
        >
          {t('applications.secret.end.text')}
        </ConfirmDialog>
      )}
    </Section>
  );
}
