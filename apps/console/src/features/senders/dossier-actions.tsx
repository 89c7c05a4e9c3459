import type { Dossier } from '@pahatid/contract';
import { isDossierOpen } from '@pahatid/domain';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { ApproveDossier } from './approve-dossier.tsx';
import { ReturnDossier } from './return-dossier.tsx';

type Action = 'submit' | 'send' | 'approve' | 'return';

/** The next steps of a dossier, for the customer or for staff. */
export function DossierActions({ dossier }: { dossier: Dossier }) {
  const t = useText();
  const refresh = useRefresh();
  const mayWrite = useMay('owner', 'member');
  const isStaff = useMay('reviewer', 'operator', 'admin');
  const [asking, setAsking] = useState<Action>();
  const { state, carrier, customerId, dossierId, paperCount } = dossier;
  const close = () => setAsking(undefined);
  const step = async (action: 'submit' | 'send') => {
    if (action === 'submit') await call('POST /dossiers/:dossierId/submit', { params: { dossierId } });
    else await call('POST /customers/:customerId/dossiers/:dossierId/send', { params: { customerId, dossierId } });
    toast(t('senders.carriers.did'));
    await refresh('/senders', '/dossiers', '/dossier-queue', '/overview');
  };
  return (
    <div className="dossier-actions">
      {mayWrite && isDossierOpen(state) && (
        <Button
          size="small"
          variant={state === 'approved' ? 'default' : 'primary'}
          disabled={paperCount === 0}
          title={paperCount === 0 ? t('error.DOSSIER_EMPTY') : undefined}
          onClick={() => setAsking('submit')}
        >
          {t(state === 'approved' ? 'dossiers.renew' : 'dossiers.submit')}
        </Button>
      )}
      {isStaff && state === 'submitted' && (
        <Button size="small" variant="primary" onClick={() => setAsking('send')}>
          {t('dossiers.send')}
        </Button>
      )}
      {isStaff && state === 'sent' && (
        <Button size="small" variant="primary" onClick={() => setAsking('approve')}>
          {t('approvals.approve')}
        </Button>
      )}
      {isStaff && (state === 'submitted' || state === 'sent') && (
        <Button size="small" variant="danger" onClick={() => setAsking('return')}>
          {t('dossiers.return')}
        </Button>
      )}
      {(asking === 'submit' || asking === 'send') && (
        <ConfirmDialog
          title={`${t(`dossiers.${asking}`)} · ${carrier}`}
          confirmLabel={t(`dossiers.${asking}`)}
          onConfirm={() => step(asking)}
          onClose={close}
        >
          {t(`dossiers.${asking}.text`)}
        </ConfirmDialog>
      )}
      {asking === 'approve' && <ApproveDossier dossier={dossier} onClose={close} />}
      {asking === 'return' && <ReturnDossier dossier={dossier} onClose={close} />}
    </div>
  );
}
