import { type RouteRuleItem, SmsType, type SmsType as SmsTypeNumber, UseState } from '@pahatid/contract';
import { chooseRoutes } from '@pahatid/domain';
import { ArrowRight } from 'lucide-react';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { Bdi } from '../../ui/data/text.tsx';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { carriers } from '../../ui/form/scope-fields.tsx';
import { Note, Panel } from '../../ui/page/page.tsx';

interface RouteOrderProps {
  /** Carrier and send type: "Globe,2"; an empty carrier is an unknown one. */
  to: string | undefined;
  onTo: (to: string) => void;
}

/**
 * Steps in which a message tries its routes: each step contains the routes left after the suppliers of the previous
 * ones fail.
 */
const stepsTo = (
  rules: readonly RouteRuleItem[],
  carrier: string | null,
  smsType: SmsTypeNumber,
): RouteRuleItem[][] => {
  const steps: RouteRuleItem[][] = [];
  const failing = new Set<string>();
  for (;;) {
    const choice = chooseRoutes(rules, { areaCode: 'PH', carrier, smsType }, failing);
    if (choice.routes.length === 0 || choice.isFailing) return steps;
    steps.push([...choice.routes]);
    for (const { supplierId } of choice.routes) failing.add(supplierId);
  }
};

/** The route of messages to a carrier, and the fallbacks. */
export function RouteOrder({ to, onTo }: RouteOrderProps) {
  const t = useText();
  const { percent } = useFormats();
  const all = useCall('GET /routes', { query: { limit: '200', useState: '1' } }, { refetchInterval: 10_000 });
  const suppliers = useCall('GET /suppliers', { query: { limit: '200' } }, { refetchInterval: 5_000 });
  const [carrier = carriers[0]?.value ?? '', type = String(SmsType.Notification)] =
    (to ?? '').split(',').length > 1 ? (to ?? '').split(',') : [];
  const smsType = Object.values(SmsType).find((each) => String(each) === type) ?? SmsType.Notification;
  const stateOf = new Map(suppliers.data?.items.map((each) => [each.supplierId, each]));
  const rules = (all.data?.items ?? []).filter(
    ({ supplierId }) => stateOf.get(supplierId)?.useState === UseState.Enabled,
  );
  const steps = stepsTo(rules, carrier === '' ? null : carrier, smsType);
  return (
    <Panel title={t('routing.order')}>
      <div className="routing-section">
        <div className="row wrap">
          <Segmented
            label={t('routing.carrier')}
            options={[...carriers, { value: '', label: t('routing.unknownCarrier.short') }]}
            value={carrier}
            onChange={(next) => onTo(`${next},${smsType}`)}
          />
          <Segmented
            label={t('routing.smsType')}
            options={Object.values(SmsType).map((each) => ({
              value: String(each),
              label: t(`customers.smsType.${each}`),
            }))}
            value={String(smsType)}
            onChange={(next) => onTo(`${carrier},${next}`)}
          />
        </div>
        {all.data && suppliers.data && steps.length === 0 && <Note tone="warning">{t('routing.order.none')}</Note>}
        <ol className="routing-order">
          {steps.map((routes, n) => {
            const total = routes.reduce((sum, { weight }) => sum + weight, 0);
            return (
              <li className="routing-order-item" key={routes.map(({ routeId }) => routeId).join()}>
                <span className="routing-order-step">
                  {n === 0 ? t('routing.order.first') : t('routing.order.next', { n: n + 1 })}
                </span>
                {routes.map((route) => (
                  <span key={route.routeId}>
                    <Bdi>{route.routeName}</Bdi>{' '}
                    <span className="ink-3 small">
                      <Icon of={ArrowRight} size="small" mirror /> <Bdi>{route.supplierAccount}</Bdi>
                      {routes.length > 1 && <> · {percent(route.weight / total)}</>}
                      {stateOf.get(route.supplierId)?.failedTime && (
                        <span className="routing-error"> · {t('routing.order.failing')}</span>
                      )}
                    </span>
                  </span>
                ))}
              </li>
            );
          })}
        </ol>
      </div>
    </Panel>
  );
}
