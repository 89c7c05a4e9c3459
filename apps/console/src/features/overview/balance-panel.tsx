import type { Overview } from '@pahatid/contract';
import { Wallet } from 'lucide-react';
import { useSession } from '../../lib/api/session.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import { Icon } from '../../ui/base/icon.tsx';
import { Money } from '../../ui/data/text.tsx';
import { Panel } from '../../ui/page/page.tsx';

/** Beyond this a forecast by the week is not useful. */
const farDays = 365;
/** From here on it is time to top up. */
const soonDays = 7;

type BalancePanelProps = Pick<Overview, 'forecast'>;

/** The available balance: without the amount that running and confirmed tasks have reserved, and how long it lasts. */
export function BalancePanel({ forecast }: BalancePanelProps) {
  const t = useText();
  const formats = useFormats();
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
      {forecast && (
        <p className={classNames('overview-forecast tiny', isSoon(forecast) ? 'is-soon' : 'ink-2')}>
          {forecast.days === null
            ? t('overview.forecast.none')
            : forecast.days > farDays
              ? t('overview.forecast.far')
              : t('overview.forecast', {
                  count: forecast.days,
                  date: formats.date(Date.now() + forecast.days * dayMs, 'monthDay'),
                  amount: formats.money(forecast.perDay),
                })}
        </p>
      )}
    </Panel>
  );
}

const dayMs = 86_400_000;
const isSoon = ({ days }: NonNullable<Overview['forecast']>): boolean => days !== null && days <= soonDays;
