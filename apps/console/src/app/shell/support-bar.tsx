import { call } from '../../lib/api/call.ts';
import { useSession } from '../../lib/api/session.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { ViewBar } from './view-bar.tsx';

/** Full reload, so that none of the customer's data remains in the page's memory. */
const goBack = () => window.location.assign('/customer');

/** Shown on every screen while staff view a customer's data: the customer, until when, and the exit. */
export function SupportBar() {
  const t = useText();
  const formats = useFormats();
  const { support, customer } = useSession();
  if (!support || !customer) return null;
  return (
    <ViewBar
      label={t('shell.support')}
      until={support.until}
      leave={() => call('DELETE /support-view')}
      onLeft={goBack}
    >
      {t.rich('shell.support.text', {
        name: <bdi>{customer.customerName}</bdi>,
        time: <bdi dir="ltr">{formats.date(support.until, 'minute')}</bdi>,
        b: (chunks) => <b>{chunks}</b>,
      })}
    </ViewBar>
  );
}
