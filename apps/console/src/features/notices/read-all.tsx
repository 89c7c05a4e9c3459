import type { Notice } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';

interface ReadAllProps {
  newest: Notice | undefined;
  /** Without a border, for small spaces. */
  quiet?: boolean;
}

/** Up to the newest that is seen: what comes meanwhile stays unread. */
export function ReadAll({ newest, quiet = false }: ReadAllProps) {
  const t = useText();
  const refresh = useRefresh();
  // As the bell counts them: unread ones may be older than those shown.
  const { data } = useCall('GET /notices/unread');
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
    <Button
      size={quiet ? 'small' : 'medium'}
      variant={quiet ? 'quiet' : 'default'}
      disabled={!data || data.unread === 0}
      loading={busy}
      onClick={() => void readAll()}
    >
      {t('notices.readAll')}
    </Button>
  );
}
