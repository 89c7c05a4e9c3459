import type { BalanceForecast as Forecast } from '@pahatid/contract';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { classNames } from '../base/class-names.ts';
import './balance-forecast.css';

const dayMs = 86_400_000;
/** Beyond this a forecast by the week is not useful. */
const farDays = 365;
/** From here on it is time to top up. */
const soonDays = 7;

/** How long the available balance lasts. */
export function BalanceForecast({ forecast, className }: { forecast: Forecast; className?: string }) {
  const t = useText();
  const formats = useFormats();
  const { perDay, days } = forecast;
  const isSoon = days !== null && days <= soonDays;
  return (
    <p className={classNames(className, isSoon ? 'is-balance-soon' : 'ink-2')}>
      {days === null
        ? t('overview.forecast.none')
        : days > farDays
          ? t('overview.forecast.far')
          : t('overview.forecast', {
              count: days,
              date: formats.date(Date.now() + days * dayMs, 'monthDay'),
              amount: formats.money(perDay),
            })}
    </p>
  );
}
