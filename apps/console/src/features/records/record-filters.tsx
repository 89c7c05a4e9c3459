import { ClientStatus, carrierFilters, SendStatus, SmsType } from '@pahatid/contract';
import type { ComponentType } from 'react';
import type { MessageKey } from '../../lib/i18n/message-key.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { ApplicationFilter, TaskFilter } from '../../ui/filters/belonging-filters.tsx';
import { DateRangeFilter } from '../../ui/filters/date-range-filter.tsx';
import { ChoiceFilter } from '../../ui/filters/filters.tsx';
import type { LookupFilterProps } from '../../ui/filters/lookup-filter.tsx';
import { CountryFilter, CustomerFilter, RouteFilter, SenderFilter } from '../../ui/filters/message-filters.tsx';
import { MoreFilters } from '../../ui/filters/more-filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { TemplateFilter } from './record-lookups.tsx';
import type { RecordFilterName, RecordView } from './record-view.ts';

interface RecordFiltersProps {
  view: RecordView;
  onChange: (patch: RecordView) => void;
}

/** Longer than any phone number: the id of a message. */
const isMessageId = /^\d{16,18}$/;

/** One field searches by phone number and by message id. */
export function RecordSearch({ view, onChange }: RecordFiltersProps) {
  const t = useText();
  const search = (typed: string | undefined) =>
    isMessageId.test(typed ?? '')
      ? onChange({ messageId: typed, phoneAddress: undefined })
      : onChange({ messageId: undefined, phoneAddress: typed });
  return <SearchInput label={t('records.search.any')} value={view.messageId ?? view.phoneAddress} onChange={search} />;
}

/** The filters above the list of records; staff can also choose a customer and a route. */
export function RecordFilters({ view, onChange, isStaff }: RecordFiltersProps & { isStaff: boolean }) {
  const t = useText();
  return (
    <>
      <DateRangeFilter
        label={t('records.period')}
        from={view.from}
        to={view.to}
        onChange={(from, to) => onChange({ from, to })}
      />
      <ChoiceFilter
        multiple
        label={t('records.status')}
        options={Object.values(ClientStatus).map((n) => ({ value: String(n), label: t(`records.status.${n}`) }))}
        value={view.clientStatus}
        onChange={(clientStatus) => onChange({ clientStatus })}
      />
      <ChoiceFilter
        label={t('records.carrier')}
        options={carrierFilters.map((value) => ({
          value,
          label: value === 'unknown' ? t('records.carrier.none') : value,
        }))}
        value={view.carrier}
        onChange={(carrier) => onChange({ carrier })}
      />
      <TaskFilter value={view.taskId} onChange={(taskId) => onChange({ taskId })} />
      <TemplateFilter value={view.templateId} onChange={(templateId) => onChange({ templateId })} />
      <MoreRecordFilters view={view} onChange={onChange} isStaff={isStaff} />
    </>
  );
}

interface NamedLookup {
  name: RecordFilterName;
  label: MessageKey;
  Filter: ComponentType<LookupFilterProps>;
}

const lookups: readonly NamedLookup[] = [
  { name: 'clientSid', label: 'records.sender', Filter: SenderFilter },
  { name: 'appId', label: 'records.application', Filter: ApplicationFilter },
  { name: 'areaCode', label: 'records.country', Filter: CountryFilter },
];

const staffLookups: readonly NamedLookup[] = [
  { name: 'customerId', label: 'records.customer', Filter: CustomerFilter },
  { name: 'routeId', label: 'records.route', Filter: RouteFilter },
];

/** Rarely used filters. */
function MoreRecordFilters({ view, onChange, isStaff }: RecordFiltersProps & { isStaff: boolean }) {
  const t = useText();
  const choices = [
    {
      name: 'smsType',
      label: t('records.type'),
      options: Object.values(SmsType).map((n) => ({ value: String(n), label: t(`records.type.${n}`) })),
    },
    {
      name: 'sendStatus',
      label: t('tasks.sendStatus'),
      options: Object.values(SendStatus).map((n) => ({ value: String(n), label: t(`tasks.sendStatus.${n}`) })),
    },
  ] as const;
  const choiceFilters = choices.map(({ name, label, options }) => ({
    key: name,
    label,
    isSet: view[name] !== undefined,
    filter: (
      <ChoiceFilter
        multiple
        label={label}
        options={options}
        value={view[name]}
        onChange={(value) => onChange({ [name]: value })}
      />
    ),
  }));
  const lookupFilters = (isStaff ? [...lookups, ...staffLookups] : lookups).map(({ name, label, Filter }) => ({
    key: name,
    label: t(label),
    isSet: view[name] !== undefined,
    filter: <Filter value={view[name]} onChange={(value) => onChange({ [name]: value })} />,
  }));
  const reference = {
    key: 'clientRef',
    label: t('records.clientRef'),
    isSet: view.clientRef !== undefined,
    filter: (
      <SearchInput
        label={t('records.clientRef')}
        value={view.clientRef}
        onChange={(clientRef) => onChange({ clientRef })}
      />
    ),
  };
  return <MoreFilters filters={[...choiceFilters, ...lookupFilters, reference]} />;
}
