import { Eye } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';

interface Props {
  label: string;
  /** When the view ends by the server's clock. */
  until: string;
  /** Ends the view; a failure is shown. */
  leave: () => Promise<unknown>;
  /** Afterwards, and once the time is over. */
  onLeft: () => void;
  /** Further actions. */
  actions?: ReactNode;
  children: ReactNode;
}

/** Over every screen, while its data can be seen and not changed. */
export function ViewBar({ label, until, leave, onLeft, actions, children }: Props) {
  const t = useText();
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    const timer = setTimeout(onLeft, Math.max(0, Date.parse(until) - Date.now()));
    return () => clearTimeout(timer);
  }, [until, onLeft]);

  const end = async () => {
    setBusy(true);
    try {
      await leave();
      onLeft();
    } catch (error) {
      toastError(error);
      setBusy(false);
    }
  };
  return (
    <section className="view-bar" aria-label={label}>
      <Icon of={Eye} />
      <p className="grow">{children}</p>
      {actions}
      <Button size="small" loading={busy} onClick={() => void end()}>
        {t('shell.support.leave')}
      </Button>
    </section>
  );
}
