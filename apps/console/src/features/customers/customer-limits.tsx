import type { CustomerDetail, CustomerLimit } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Section } from '../../ui/page/page.tsx';
import { useScopeText } from './customer-scope.tsx';
import { CustomerTable } from './customer-table.tsx';
import { LimitForm } from './limit-form.tsx';

const perPhone = ['sameContentPer30s', 'perMinute', 'perHour', 'perDay'] as const;

/** Formats a limit: "1,000 messages a day", "5 a day to one phone". */
function useLimitText(): (limit: CustomerLimit) => string {
  const t = useText();
  const formats = useFormats();
  return (limit) => {
    if (limit.kind === 'volume' && limit.unit && limit.period) {
      const amount = limit.limitAt ?? 0;
      return t(`customers.limit.volume.${limit.period}`, {
        amount:
          limit.unit === 'cost' ? formats.money(amount) : t(`customers.limit.unit.${limit.unit}`, { count: amount }),
      });
    }
    return formats.list(
      perPhone.flatMap((name) => (limit[name] === null ? [] : [t(`customers.limit.${name}`, { count: limit[name] })])),
    );
  };
}

/** What the provider and the customer itself hold its traffic to. */
export function CustomerLimits({ customer }: { customer: CustomerDetail }) {
  const t = useText();
  const limitText = useLimitText();
  const scopeText = useScopeText();
  const scopeOf = (limit: CustomerLimit): string =>
    scopeText({
      ...limit,
      appId: customer.applications.find(({ appId }) => appId === limit.appId)?.appName ?? limit.appId,
    });
  const refresh = useRefresh();
  const isAdmin = useMay('admin');
  const [adding, setAdding] = useState(false);
  const [lifting, setLifting] = useState<CustomerLimit | null>(null);
  const lift = async (thresholdId: string) => {
    const params = { customerId: customer.customerId, thresholdId };
    await call('DELETE /customers/:customerId/limits/:thresholdId', { params });
    toast(t('customers.limit.lifted'));
    await refresh('/customers');
  };
  return (
    <Section
      title={t('customers.limits')}
      aside={
        isAdmin && (
          <Button size="small" onClick={() => setAdding(true)}>
            {t('customers.limit.add')}
          </Button>
        )
      }
    >
      {customer.limits.length === 0 ? (
        <p className="ink-3 small">{t('customers.limits.none')}</p>
      ) : (
        <CustomerTable
          caption={t('customers.limits')}
          columns={[
            { title: t('customers.limit') },
            { title: t('customers.scope') },
            { title: t('customers.setBy') },
            { title: t('customers.actions'), isHidden: true },
          ]}
        >
          {customer.limits.map((limit) => (
            <tr key={limit.thresholdId}>
              <td>{limitText(limit)}</td>
              <td>{scopeOf(limit)}</td>
              <td>{t(`customers.setBy.${limit.setBy}`)}</td>
              <td className="align-end">
                {isAdmin && limit.setBy === 'staff' && (
                  <Button size="small" variant="quiet" onClick={() => setLifting(limit)}>
                    {t('customers.limit.lift')}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </CustomerTable>
      )}
      {adding && <LimitForm customer={customer} onClose={() => setAdding(false)} />}
      {lifting && (
        <ConfirmDialog
          danger
          title={t('customers.limit.lift.title')}
          confirmLabel={t('customers.limit.lift')}
          onConfirm={() => lift(lifting.thresholdId)}
          onClose={() => setLifting(null)}
        >
          {t('customers.limit.lift.text', { limit: limitText(lifting), scope: scopeOf(lifting) })}
        </ConfirmDialog>
      )}
    </Section>
  );
}
