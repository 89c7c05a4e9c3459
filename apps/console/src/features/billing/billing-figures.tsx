import type { Billing } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { BalanceForecast } from '../../ui/data/balance-forecast.tsx';
import { Money } from '../../ui/data/text.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { KpiStrip, Note } from '../../ui/page/page.tsx';

/** The balance, the reserved amount, and this month's cost. */
export function BillingFigures({ billing }: { billing: Billing | undefined }) {
  const t = useText();
  if (billing === undefined)
    return (
      <div className="billing-figures-loading">
        <Skeleton />
      </div>
    );
  const available = billing.balance - billing.reserved;
  return (
    <>
      {available < billing.lowBalance && (
        <Note tone="warning">{t.rich('billing.low', { amount: <Money value={available} /> })}</Note>
      )}
      <KpiStrip
        label={t('billing.figures')}
        items={[
          {
            key: 'balance',
            label: t('billing.balance'),
            value: <Money value={billing.balance} />,
            note: t('billing.balance.note'),
          },
          {
            key: 'available',
            label: t('billing.available'),
            value: <Money value={available} />,
            note: t.rich('billing.reserved.note', { amount: <Money value={billing.reserved} /> }),
          },
          { key: 'today', label: t('billing.today'), value: <Money value={billing.chargedToday} /> },
          { key: 'month', label: t('billing.month'), value: <Money value={billing.chargedThisMonth} /> },
          { key: 'topUps', label: t('billing.topUps'), value: <Money value={billing.toppedUpThisMonth} /> },
        ]}
      />
      <BalanceForecast forecast={billing.forecast} className="small" />
    </>
  );
}
