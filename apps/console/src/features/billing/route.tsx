import { Plus, ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Button } from '../../ui/base/button.tsx';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { EmptyState, FailedState } from '../../ui/feedback/blank.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { AskTopUp } from './ask-top-up.tsx';
import './billing.css';
import { BillingFigures } from './billing-figures.tsx';
import { ChargesPanel } from './charges-panel.tsx';
import { CustomerChoice } from './customer-choice.tsx';
import { LedgerTable } from './ledger-table.tsx';
import { StatementMenu } from './statement-menu.tsx';
import { TopUpTable } from './top-up-table.tsx';

/** Money: an owner's own, or for staff that of a customer they choose. */
export default function BillingScreen() {
  const t = useText();
  const { user } = useSession();
  const { zone } = useFormats();
  const list = useListView(['kind', 'from', 'to', 'taskId'], ['customerId', 'range', 'by'], {
    list: 'GET /billing/ledger',
  });
  const { view, setView } = list;
  const isStaff = user.kind === 'staff';
  const mayRead = user.role === 'owner' || user.role === 'operator' || user.role === 'admin';
  const customerId = isStaff ? view.customerId : undefined;
  const isChosen = !isStaff || customerId !== undefined;
  const billing = useCall(
    'GET /billing',
    { query: { customerId, zone } },
    { enabled: mayRead && isChosen, refetchInterval: 30_000 },
  );

  const [isAsking, setIsAsking] = useState(false);

  if (!mayRead)
    return (
      <Page>
        <PageHeader title={t('billing.title')} />
        <EmptyState title={t('ui.notFound.title')}>{t('ui.notFound.text')}</EmptyState>
      </Page>
    );

  return (
    <Page>
      <PageHeader
        title={t('billing.title')}
        fact={isStaff && !isChosen ? t('billing.fact.all') : t('billing.fact')}
        actions={
          isChosen && (
            <>
              <ButtonLink
                icon={ReceiptText}
                to="/billing/invoice"
                search={customerId === undefined ? {} : { customerId }}
              >
                {t('billing.invoices')}
              </ButtonLink>
              <StatementMenu customerId={customerId} />
              {user.role === 'owner' && (
                <Button variant="primary" icon={Plus} onClick={() => setIsAsking(true)}>
                  {t('billing.topUp.ask')}
                </Button>
              )}
            </>
          )
        }
      />
      {isStaff && (
        <CustomerChoice
          customerId={customerId}
          chosenName={billing.data?.customerName}
          onChoose={(chosen) => setView({ customerId: chosen, cursor: undefined })}
        />
      )}
      {isChosen && billing.error && <FailedState error={billing.error} onRetry={() => void billing.refetch()} />}
      {isChosen && !billing.error && (
        <>
          <BillingFigures billing={billing.data} />
          <TopUpTable customerId={customerId} />
          <ChargesPanel
            customerId={customerId}
            range={view.range}
            perDay={billing.data?.forecast.perDay}
            onRange={(range) => setView({ range }, { replace: true })}
          />
        </>
      )}
      {!isChosen && <TopUpTable customerId={undefined} />}
      {(isChosen ? !billing.error : user.role === 'admin') && <LedgerTable customerId={customerId} list={list} />}
      {!isChosen && user.role !== 'admin' && (
        <EmptyState title={t('billing.choose.title')}>{t('billing.choose.text')}</EmptyState>
      )}
      {isAsking && <AskTopUp onClose={() => setIsAsking(false)} />}
    </Page>
  );
}
