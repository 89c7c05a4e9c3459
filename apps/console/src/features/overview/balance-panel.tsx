import type { Overview } from '@pahatid/contract';
import { Wallet } from 'lucide-react';
import { useSession } from '../../lib/api/session.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { BalanceForecast } from '../../ui/data/balance-forecast.tsx';
import { Money } from '../../ui/data/text.tsx';
import { Panel } from '../../ui/page/page.tsx';

type BalancePanelProps = Pick<Overview, 'forecast'>;

/** The available balance: without the amount that running and confirmed tasks have reserved, and how long it lasts. */
export function BalancePanel({ forecast }: BalancePanelProps) {
  const t = useText();
  const { customer } = useSession();
  if (!customer || customer.balance === null) return null;
  const { balance, reserved } = customer;
  return (
    <Panel>
      <div className="overview-balance">
        <span className="overview-mark">
          <Icon of={Wallet} />
        </span>
        <dl>
          <div>
            <dt>{t('overview.balance')}</dt>
            <dd className="overview-balance-figure">
              <Money value={balance} />
            </dd>
          </div>
          <div className="tiny ink-2">
            <dt>{t('overview.balance.available')}</dt>
            <dd>
              <Money value={balance - (reserved ?? 0)} />
            </dd>
          </div>
        </dl>
      </div>
      {forecast && <BalanceForecast forecast={forecast} className="overview-forecast tiny" />}
    </Panel>
  );
}
