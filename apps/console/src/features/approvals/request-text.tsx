import type { Approval, PriceRequest } from '@pahatid/contract';
import { regionName } from '../../lib/format/regions.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Bdi, DateTime, Money } from '../../ui/data/text.tsx';

/** The change that a request would make. */
export function RequestText({ approval }: { approval: Approval }) {
  const t = useText();
  switch (approval.kind) {
    case 'ledger': {
      const { kind, amount, note } = approval.request;
      return (
        <span className="cell-name">
          {t.rich(`approvals.what.${kind}`, { amount: <Money value={amount} /> })}
          {note !== '' && (
            <span className="cell-note">
              <Bdi>{note}</Bdi>
            </span>
          )}
        </span>
      );
    }
    case 'price':
      return <PriceText request={approval.request} />;
    case 'limits': {
      const { ledger, price, before } = approval.request;
      return (
        <span className="cell-name">
          {t.rich('approvals.what.limits', { ledger: <Money value={ledger} />, price: <Money value={price} /> })}
          <del className="cell-note">
            {t.rich('approvals.what.limits', {
              ledger: <Money value={before.ledger} />,
              price: <Money value={before.price} />,
            })}
          </del>
        </span>
      );
    }
  }
}

function PriceText({ request }: { request: PriceRequest }) {
  const t = useText();
  const { locale } = useTexts();
  const { areaCode, carrier, smsType, price, effectiveTime } = request;
  const before = <Money value={request.before} />;
  const scope = [
    regionName(locale, areaCode),
    carrier ?? t('approvals.what.anyCarrier'),
    smsType === null ? t('approvals.what.anyType') : t(`customers.smsType.${smsType}`),
  ];
  return (
    <span className="cell-name">
      {price === null
        ? t.rich('approvals.what.price.removed', { before })
        : t.rich('approvals.what.price', { before, after: <Money value={price} /> })}
      <span className="cell-note">
        {scope.join(' · ')}
        {effectiveTime !== null && (
          <>
            {' · '}
            {t.rich('approvals.what.from', { time: <DateTime value={effectiveTime} style="short" /> })}
          </>
        )}
      </span>
    </span>
  );
}
