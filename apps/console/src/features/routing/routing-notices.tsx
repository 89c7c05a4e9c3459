import type { RoutingNotice } from '@pahatid/contract';
import { useCall } from '../../lib/api/use-call.ts';
import { useBindErrorText } from '../../lib/format/bind-error-text.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Note } from '../../ui/page/page.tsx';
import { useDestinationText } from './destination-text.ts';

interface RoutingNoticesProps {
  onSupplier: (supplierId: string) => void;
  onTab: (tab: 'routes' | 'prices') => void;
}

/** Problems of the routing, as text; empty if there are none. */
export function RoutingNotices({ onSupplier, onTab }: RoutingNoticesProps) {
  const t = useText();
  const notices = useCall('GET /routes/notices', {}, { refetchInterval: 5_000 });
  const items = notices.data?.items ?? [];
  if (items.length === 0) return null;
  const act = (notice: RoutingNotice) => {
    if (notice.code === 'SUPPLIER_DOWN')
      return (
        <Button size="small" onClick={() => onSupplier(notice.supplierId)}>
          {t('routing.notice.see')}
        </Button>
      );
    const tab = notice.code === 'PRICE_MISSING' ? 'prices' : 'routes';
    return (
      <Button size="small" onClick={() => onTab(tab)}>
        {t(`routing.notice.to.${tab}`)}
      </Button>
    );
  };
  return (
    <section className="routing-notices" aria-label={t('routing.notices')}>
      {items.map((notice) => (
        <Note
          key={JSON.stringify([
            notice.code,
            'supplierId' in notice ? notice.supplierId : [notice.areaCode, notice.carrier],
          ])}
          tone="warning"
          action={act(notice)}
        >
          <NoticeText notice={notice} />
        </Note>
      ))}
    </section>
  );
}

function NoticeText({ notice }: { notice: RoutingNotice }) {
  const t = useText();
  const destinationText = useDestinationText();
  const errorText = useBindErrorText();
  const { date } = useFormats();
  if (notice.code !== 'SUPPLIER_DOWN') return t(`routing.notice.${notice.code}`, { to: destinationText(notice) });
  return (
    <>
      {t('routing.notice.SUPPLIER_DOWN', { name: notice.supplierAccount })}{' '}
      {notice.lastError && errorText(notice.lastError)}{' '}
      {notice.since && t('routing.notice.since', { time: date(notice.since, 'dateTime') })}
    </>
  );
}
