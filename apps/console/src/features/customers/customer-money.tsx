import { type CustomerDetail, UseState } from '@pahatid/contract';
import { ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../lib/api/session.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Count, DateTime, Money } from '../../ui/data/text.tsx';
import { Note, Section } from '../../ui/page/page.tsx';
import { EnterMoney } from './enter-money.tsx';

/** A customer's balance, reserved amount and sends today; and why it is suspended, if it is. */
export function CustomerMoney({ customer, onLedger }: { customer: CustomerDetail; onLedger: () => void }) {
  const t = useText();
  const isAdmin = useMay('admin');
  const seesLedger = useMay('operator', 'admin');
  const [entering, setEntering] = useState(false);
  const available = customer.balance - customer.reserved;
  const figures = [
    { key: 'balance', label: t('customers.balance'), value: <Money value={customer.balance} /> },
    { key: 'reserved', label: t('customers.reserved'), value: <Money value={customer.reserved} /> },
    { key: 'available', label: t('customers.available'), value: <Money value={available} /> },
    { key: 'today', label: t('customers.today'), value: <Count value={customer.today.messages} /> },
    { key: 'delivered', label: t('customers.delivered'), value: <Count value={customer.today.delivered} /> },
    { key: 'spend', label: t('customers.spend'), value: <Money value={customer.today.spend} /> },
  ];
  return (
    <>
      {customer.useState === UseState.Disabled && (
        <Note tone="danger">
          {t.rich('customers.suspended.since', {
            time: <DateTime value={customer.suspendTime} />,
            reason: <bdi>{customer.suspendReason}</bdi>,
          })}
        </Note>
      )}
      {available < customer.lowBalance && (
        <Note tone="warning">{t.rich('customers.low', { amount: <Money value={customer.lowBalance} /> })}</Note>
      )}
      <Section
        title={t('customers.money')}
        aside={
          <div className="row">
            {seesLedger && (
              <Button size="small" variant="quiet" icon={ReceiptText} onClick={onLedger}>
                {t('customers.ledger')}
              </Button>
            )}
            {isAdmin && (
              <Button size="small" onClick={() => setEntering(true)}>
                {t('customers.topUp')}
              </Button>
            )}
          </div>
        }
      >
        <dl className="customers-money">
          {figures.map(({ key, label, value }) => (
            <div key={key}>
              <dt>{label}</dt>
              <dd className="num">{value}</dd>
            </div>
          ))}
        </dl>
      </Section>
      {entering && <EnterMoney customer={customer} onClose={() => setEntering(false)} />}
    </>
  );
}
