import { ArrowLeft, Printer } from 'lucide-react';
import { useEffect } from 'react';
import { useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { productName } from '../../ui/base/brand.tsx';
import { Button } from '../../ui/base/button.tsx';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { EmptyState, FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import './billing.css';
import { CustomerChoice } from './customer-choice.tsx';
import { InvoicePage } from './invoice-page.tsx';
import { InvoiceTable } from './invoice-table.tsx';
import { useMonthName } from './month-name.ts';

const isMonth = (text: string | undefined): text is string => /^20\d\d-(0[1-9]|1[0-2])$/.test(text ?? '');

/** `/billing/invoice`: the months with an invoice; with `month` that invoice, to print. */
export default function InvoiceScreen() {
  const t = useText();
  const isStaff = useSession().user.kind === 'staff';
  const [view, setView] = useSearchParams(['customerId', 'month']);
  const customerId = isStaff ? view.customerId : undefined;
  if (isMonth(view.month) && (customerId !== undefined || !isStaff))
    return <OneInvoice customerId={customerId} month={view.month} />;
  return (
    <Page>
      <PageHeader title={t('billing.invoices')} fact={t('billing.invoices.fact')} />
      {isStaff && (
        <CustomerChoice
          customerId={customerId}
          chosenName={undefined}
          isRequired
          onChoose={(chosen) => setView({ customerId: chosen })}
        />
      )}
      {isStaff && customerId === undefined ? (
        <EmptyState title={t('billing.choose.title')}>{t('billing.choose.text')}</EmptyState>
      ) : (
        <InvoiceTable customerId={customerId} onOpen={(month) => setView({ month })} />
      )}
    </Page>
  );
}

function OneInvoice({ customerId, month }: { customerId: string | undefined; month: string }) {
  const t = useText();
  const invoice = useCall('GET /billing/invoice', { query: { customerId, month } });
  const { data } = invoice;
  const nameOf = useMonthName();
  // The name of the file that browsers save a page under.
  useEffect(() => {
    if (data === undefined) return;
    const { title } = document;
    document.title = `${t('billing.invoice')} ${data.number} · ${productName}`;
    return () => {
      document.title = title;
    };
  }, [data, t]);
  return (
    <Page>
      <PageHeader
        title={nameOf(month)}
        fact={data && !data.isFinal && t('billing.invoice.open')}
        actions={
          <>
            <ButtonLink
              icon={ArrowLeft}
              mirrorIcon
              to="/billing/invoice"
              search={customerId === undefined ? {} : { customerId }}
            >
              {t('billing.invoices')}
            </ButtonLink>
            <Button variant="primary" icon={Printer} disabled={data === undefined} onClick={() => window.print()}>
              {t('billing.invoice.print')}
            </Button>
          </>
        }
      />
      {invoice.error && <FailedState error={invoice.error} onRetry={() => void invoice.refetch()} />}
      {invoice.isPending && <SkeletonLines lines={8} />}
      {data && <InvoicePage invoice={data} />}
    </Page>
  );
}
