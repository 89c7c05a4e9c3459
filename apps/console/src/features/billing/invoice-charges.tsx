import type { Invoice } from '@pahatid/contract';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Bdi, Count, Dash } from '../../ui/data/text.tsx';

type Charge = Invoice['charges'][number];

const keyOf = ({ appId, smsType, carrier, price }: Charge): string => `${appId}|${smsType}|${carrier}|${price}`;

/** A line for each application, SMS type, carrier and price, and their sum. */
export function InvoiceCharges({ invoice }: { invoice: Invoice }) {
  const t = useText();
  const { money } = useFormats();
  return (
    <section>
      <h3>{t('billing.invoice.charges')}</h3>
      <table className="plain-table invoice-charges">
        <thead>
          <tr>
            <th scope="col" className="invoice-apart">
              {t('billing.application')}
            </th>
            <th scope="col">{t('records.type')}</th>
            <th scope="col" className="invoice-apart">
              {t('records.carrier')}
            </th>
            <th scope="col" className="align-end">
              {t('billing.segments')}
            </th>
            <th scope="col" className="align-end">
              {t('records.price')}
            </th>
            <th scope="col" className="align-end">
              {t('billing.amount')}
            </th>
          </tr>
        </thead>
        <tbody>
          {invoice.charges.map((charge) => (
            <ChargeLine key={keyOf(charge)} charge={charge} />
          ))}
          {invoice.charges.length === 0 && (
            <tr>
              <td colSpan={6} className="ink-3">
                {t('billing.charges.none')}
              </td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <td className="invoice-apart" />
            <th scope="row">{t('statistics.total')}</th>
            <td className="invoice-apart" />
            <td className="align-end">
              <Count value={invoice.segments} />
            </td>
            <td />
            <td className="align-end">
              <Bdi>{money(invoice.charged)}</Bdi>
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function ChargeLine({ charge }: { charge: Charge }) {
  const t = useText();
  const { money } = useFormats();
  const { smsType, carrier, appId, appName, price, segments, amount } = charge;
  const type = smsType === null ? t('billing.invoice.other') : t(`tasks.smsType.${smsType}`);
  const by = carrier ?? (smsType === null ? null : t('records.carrier.none'));
  const application = appName ?? appId;
  return (
    <tr>
      <td className="invoice-apart">{application === null ? <Dash /> : <bdi>{application}</bdi>}</td>
      <td>
        {type}
        <span className="invoice-together">
          {by !== null && <bdi>{by}</bdi>}
          {application !== null && <bdi>{application}</bdi>}
        </span>
      </td>
      <td className="invoice-apart">{by === null ? <Dash /> : <bdi>{by}</bdi>}</td>
      <td className="align-end">
        <Count value={segments} />
      </td>
      <td className="align-end">{price === null ? <Dash /> : <Bdi>{money(price)}</Bdi>}</td>
      <td className="align-end">
        <Bdi>{money(amount)}</Bdi>
      </td>
    </tr>
  );
}
