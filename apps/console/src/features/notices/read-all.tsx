import type { Notice } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';

/** Up to the newest that is seen: what comes meanwhile stays unread. */
export function ReadAll({ newest, disabled }: { newest: Notice | undefined; disabled: boolean }) {
  const t = useText();
  const refresh = useRefresh();
  const [busy, setBusy] = useState(false);
  const readAll = async () => {
    setBusy(true);
    try {
      await call('POST /notices/read', { body: newest === undefined ? {} : { upTo: newest.noticeId } });
      await refresh('/notices');
    } catch (error) {
      toastError(error);
    }
    setBusy(false);
  };
  return (
    <Button size="small" variant="quiet" disabled={disabled} loading={busy} onClick={() => void readAll()}>
      {t('notices.readAll')}
    </Button>
  );
}
