import type { Carrier } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { Panel } from '../../ui/page/page.tsx';

/** A carrier that has no dossier yet. */
export function NewDossier({ senderKey, carrier }: { senderKey: string; carrier: Carrier }) {
  const t = useText();
  const refresh = useRefresh();
  const mayWrite = useMay('owner', 'member');
  const [busy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    try {
      await call('POST /senders/:id/dossiers', { params: { id: senderKey }, body: { carrier } });
      await refresh('/senders');
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Panel title={carrier}>
      <div className="stack">
        <p className="ink-2">{t('dossiers.open.text', { carrier })}</p>
        {mayWrite && (
          <div>
            <Button variant="primary" loading={busy} onClick={() => void open()}>
              {t('dossiers.open')}
            </Button>
          </div>
        )}
      </div>
    </Panel>
  );
}
