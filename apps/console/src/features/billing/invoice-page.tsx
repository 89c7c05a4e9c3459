import type { Invoice } from '@pahatid/contract';
import { useFormats } from '../../lib/format/formats.ts';
import { makeFormats } from '../../lib/format/make-formats.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Brand } from '../../ui/base/brand.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import { Bdi, Mono } from '../../ui/data/text.tsx';
import { InvoiceCharges } from './invoice-charges.tsx';
import './invoice.css';

/** One month on paper: both parties, the charges, what was topped up, and the balance before and after. */
export function InvoicePage({ invoice }: { invoice: Invoice }) {
  const t = useText();
  const { money } = useFormats();
  const { locale } = useTexts();
  const { from, to, zone } = invoice;
  // Days are those of the invoice's zone, not of the reader's.
  const dates = makeFormats(locale, zone);
  const noon = (day: string): string => dates.date(`${day}T04:00:00Z`, 'date');
  const facts = [
    { key: 'number', name: t('billing.invoice.number'), value: <Mono>{invoice.number}</Mono> },
    { key: 'period', name: t('billing.range'), value: `${noon(from)} – ${noon(to)}` },
    {
      key: 'zone',
      name: t('account.zone'),
      value: <Bdi>{`${zone} (${dates.zoneOffset(new Date(`${from}T04:00:00Z`))})`}</Bdi>,
    },
  ];
  const sums = [
    { key: 'opening', name: t('billing.invoice.opening'), value: invoice.opening },
    { key: 'charged', name: t('billing.charged'), value: -invoice.charged },
    { key: 'toppedUp', name: t('billing.kind.topUp'), value: invoice.toppedUp },
    ...(invoice.adjusted === 0
      ? []
      : [{ key: 'adjusted', name: t('billing.kind.adjustment'), value: invoice.adjusted }]),
    { key: 'closing', name: t('billing.invoice.closing'), value: invoice.closing },
  ];
  return (
    <article className="invoice" aria-label={`${t('billing.invoice')} ${invoice.number}`}>
      <header className="invoice-head">
        <div>
          <Brand />
          <p className="small ink-2">
            <bdi dir="ltr">{window.location.host}</bdi>
          </p>
        </div>
        <h2>{t('billing.invoice')}</h2>
      </header>
      <div className="invoice-parties">
        <dl className="invoice-facts">
          <div>
            <dt>{t('billing.customer')}</dt>
            <dd className="strong">
              <bdi>{invoice.customerName}</bdi>
            </dd>
          </div>
        </dl>
        <dl className="invoice-facts">
          {facts.map(({ key, name, value }) => (
            <div key={key}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      {!invoice.isFinal && <p className="invoice-open">{t('billing.invoice.open')}</p>}
      <InvoiceCharges invoice={invoice} />
      {invoice.entries.length > 0 && <Entries invoice={invoice} dateOf={(time) => dates.date(time, 'date')} />}
      <dl className="invoice-sums">
        {sums.map(({ key, name, value }) => (
          <div key={key} className={classNames((key === 'closing' || key === 'opening') && 'strong')}>
            <dt>{name}</dt>
            <dd>
              <Bdi>{money(value)}</Bdi>
            </dd>
          </div>
        ))}
      </dl>
    </article>
  );
}

/** What was topped up, and what staff corrected. */
function Entries({ invoice, dateOf }: { invoice: Invoice; dateOf: (time: string) => string }) {
  const t = useText();
  const { money } = useFormats();
  return (
    <section>
      <h3>{t('billing.invoice.entries')}</h3>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t('billing.day')}</th>
            <th scope="col">{t('billing.kind')}</th>
            <th scope="col">{t('billing.invoice.note')}</th>
            <th scope="col" className="align-end">
              {t('billing.amount')}
            </th>
          </tr>
        </thead>
        <tbody>
          {invoice.entries.map((entry, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries of an invoice neither move nor change
            <tr key={at}>
              <td className="invoice-whole">
                <bdi>{dateOf(entry.time)}</bdi>
              </td>
              <td>{t(`billing.kind.${entry.kind}`)}</td>
              <td className="invoice-note">{entry.note !== null && <bdi>{entry.note}</bdi>}</td>
              <td className="align-end invoice-whole">
                <Bdi>{money(entry.amount)}</Bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
