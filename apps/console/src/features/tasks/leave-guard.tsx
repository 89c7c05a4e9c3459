import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { holdUnsaved } from '../../lib/unsaved.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';

/** Asks before unsaved changes are lost, on navigation and on closing the page. */
export function LeaveGuard({ isDirty }: { isDirty: () => boolean }) {
  const t = useText();
  useEffect(() => holdUnsaved(isDirty), [isDirty]);
  const blocker = useBlocker({
    // A user that leaves instead of signing in again is not blocked.
    shouldBlockFn: ({ current, next }) => isDirty() && next.pathname !== current.pathname && next.pathname !== '/',
    // The page itself asks before it is unloaded (`holdUnsaved`).
    enableBeforeUnload: false,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <ConfirmDialog
      danger
      title={t('tasks.leave.title')}
      confirmLabel={t('tasks.leave.confirm')}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    >
      {t('tasks.leave.text')}
    </ConfirmDialog>
  );
}
