import { useState } from 'react';
import { useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Select } from '../../ui/form/select.tsx';

interface CustomerChoiceProps {
  customerId: string | undefined;
  /** Shown while the list has not been read, or does not hold it. */
  chosenName: string | undefined;
  /** One must be chosen, even by users that see all. */
  isRequired?: boolean;
  onChoose: (customerId: string | undefined) => void;
}

/** Selects the customer whose money staff view. */
export function CustomerChoice({ customerId, chosenName, isRequired = false, onChoose }: CustomerChoiceProps) {
  const t = useText();
  const seesAll = useSession().user.role === 'admin' && !isRequired;
  const [search, setSearch] = useState('');
  const customers = useCall(
    'GET /customers',
    { query: { limit: '50', ...(search !== '' && { search }) } },
    { keepPrevious: true },
  );
  const options = (customers.data?.items ?? []).map((row) => ({ value: row.customerId, label: row.customerName }));
  if (customerId && !options.some(({ value }) => value === customerId))
    options.unshift({ value: customerId, label: chosenName ?? customerId });
  return (
    <div className="billing-choice">
      <Field label={t('billing.customer')}>
        <Select
          clearable
          placeholder={t(seesAll ? 'billing.customer.all' : 'billing.customer.choose')}
          value={customerId ?? null}
          loading={customers.isFetching}
          onSearch={setSearch}
          onChange={(chosen) => onChoose(chosen ?? undefined)}
          options={options}
        />
      </Field>
    </div>
  );
}
