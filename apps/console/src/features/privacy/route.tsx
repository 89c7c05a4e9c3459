import { useState } from 'react';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { EmptyState, FailedState } from '../../ui/feedback/blank.tsx';
import { Delayed, SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Select } from '../../ui/form/select.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { ErasedNumbers } from './erased-numbers.tsx';
import { OneNumber } from './one-number.tsx';
import { ReportForm } from './report-form.tsx';
import { RetentionForm } from './retention-form.tsx';
import './privacy.css';

/** Retention periods, and the data held about one number; an owner's own, or any customer's for an admin. */
export default function PrivacyScreen() {
  const t = useText();
  const { customer } = useSession();
  const [view, setView] = useSearchParams(['customerId']);
  const customerId = customer?.customerId ?? view.customerId;
  return (
    <Page width="form">
      <PageHeader title={t('privacy.title')} fact={t('privacy.fact')} />
      {!customer && <CustomerChoice value={view.customerId} onChange={(chosen) => setView({ customerId: chosen })} />}
      {customerId ? (
        <PrivacyOf key={customerId} customerId={customerId} />
      ) : (
        <EmptyState title={t('privacy.customer.choose')}>{t('privacy.customer.none')}</EmptyState>
      )}
    </Page>
  );
}

function CustomerChoice({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}) {
  const t = useText();
  const [search, setSearch] = useState('');
  const list = useCall(
    'GET /customers',
    { query: { limit: '50', ...(search !== '' && { search }) } },
    { keepPrevious: true },
  );
  const chosen = useCall(
    'GET /customers/:customerId',
    { params: { customerId: value ?? '' } },
    { enabled: value !== undefined, staleTime: 60_000 },
  );
  const options = (list.data?.items ?? []).map(({ customerId, customerName }) => ({
    value: customerId,
    label: customerName,
  }));
  if (value && !options.some((option) => option.value === value))
    options.unshift({ value, label: chosen.data?.customerName ?? value });
  return (
    <div className="privacy-choice">
      <Field label={t('privacy.customer')}>
        <Select
          options={options}
          loading={list.isFetching}
          onSearch={setSearch}
          value={value ?? null}
          placeholder={t('privacy.customer.choose')}
          onChange={(next) => onChange(next ?? undefined)}
        />
      </Field>
    </div>
  );
}

function PrivacyOf({ customerId }: { customerId: string }) {
  const isOwner = useMay('owner');
  // An erasure is done a minute after it was asked for, at the earliest.
  const read = useCall('GET /privacy/:customerId', { params: { customerId } }, { refetchInterval: 30_000 });
  if (read.data)
    return (
      <div className="stack privacy-parts">
        <RetentionForm privacy={read.data} />
        <OneNumber customerId={customerId} />
        <ErasedNumbers erasures={read.data.erasures} />
        {isOwner && <ReportForm customerId={customerId} />}
      </div>
    );
  if (read.error) return <FailedState error={read.error} onRetry={() => void read.refetch()} />;
  return (
    <Delayed>
      <SkeletonLines />
    </Delayed>
  );
}
