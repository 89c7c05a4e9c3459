import { Eye } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useSession } from '../../lib/api/session.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';

/** Full reload, so that none of the customer's data remains in the page's memory. */
const goBack = () => window.location.assign('/customer');

/** Shown on every screen while staff view a customer's data: the customer, until when, and the exit. */
export function SupportBar() {
  const t = useText();
  const formats = useFormats();
  const { support, customer } = useSession();
  const [busy, setBusy] = useState(false);
  const until = support?.until;

  useEffect(() => {
    if (until === undefined) return;
    const timer = setTimeout(goBack, Math.max(0, Date.parse(until) - Date.now()));
    return () => clearTimeout(timer);
  }, [until]);

  if (!support || !customer) return null;
  const leave = async () => {
    setBusy(true);
    try {
      await call('DELETE /support-view');
      goBack();
    } catch (error) {
      toastError(error);
      setBusy(false);
    }
  };
  return (
    <section className="support-bar" aria-label={t('shell.support')}>
      <Icon of={Eye} />
      <p className="grow">
        {t.rich('shell.support.text', {
          name: <bdi>{customer.customerName}</bdi>,
          time: <bdi dir="ltr">{formats.date(support.until, 'minute')}</bdi>,
          b: (chunks) => <b>{chunks}</b>,
        })}
      </p>
      <Button size="small" loading={busy} onClick={() => void leave()}>
        {t('shell.support.leave')}
      </Button>
    </section>
  );
}
