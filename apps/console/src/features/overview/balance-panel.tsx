import { Wallet } from 'lucide-react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { Money } from '../../ui/data/text.tsx';
import { Panel } from '../../ui/page/page.tsx';

/** What is left to spend: the balance without what running and confirmed tasks have reserved. */
export function BalancePanel({ balance, reserved }: { balance: number | null; reserved: number | null }) {
  const t = useText();
  if (balance === null) return null;
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
    </Panel>
  );
}
