import { carrierFilters, staffDimensions, statisticsDimensions } from '@pahatid/contract';
import { GitCompareArrows } from 'lucide-react';
import { Fragment } from 'react';
import { useSession } from '../../lib/api/session.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { ApplicationFilter } from '../../ui/filters/belonging-filters.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { CountryFilter, CustomerFilter, RouteFilter, SenderFilter } from '../../ui/filters/message-filters.tsx';
import { MoreFilters } from '../../ui/filters/more-filters.tsx';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { TestModeFilter } from '../../ui/filters/test-mode-filter.tsx';
import { ToggleChip } from '../../ui/filters/toggle-chip.tsx';
import { PeriodFilter } from './period-filter.tsx';
import { type ChartView, type FilterName, noFilter, type ViewAddress } from './view.ts';

interface FilterRowProps {
  view: ChartView;
  range: { from: string; to: string } | undefined;
  onChange: (patch: ViewAddress) => void;
  onClear: (() => void) | undefined;
}

/** What the figures are of: time, unit, what divides them, what narrows them. */
export function FilterRow({ view, range, onChange, onClear }: FilterRowProps) {
  const t = useText();
  const isStaff = useSession().user.kind === 'staff';
  const filter = (name: FilterName) => (value: string | undefined) => onChange({ [name]: value ?? noFilter });
  const dimensions = statisticsDimensions.filter((each) => isStaff || !staffDimensions.includes(each));
  const one = (key: FilterName, Filter: typeof CountryFilter) => ({
    key,
    label: t(`statistics.dimension.${key}`),
    isSet: view.filters[key] !== undefined,
    filter: <Filter value={view.filters[key]} onChange={filter(key)} />,
  });
  // Staff have more filters than fit on one line.
  const seldom = [one('areaCode', CountryFilter), one('clientSid', SenderFilter)];
  const route = one('routeId', RouteFilter);
  return (
    <FilterBar onClear={onClear}>
      <PeriodFilter
        view={view}
        range={range}
        onPreset={(preset) => onChange({ preset, from: undefined, to: undefined })}
        onRange={(from, to) => onChange({ preset: undefined, from, to })}
      />
      <Segmented
        label={t('statistics.unit')}
        value={String(view.unit) as '0' | '1' | '2'}
        onChange={(unit) => onChange({ unit })}
        options={(['0', '1', '2'] as const).map((value) => ({ value, label: t(`statistics.unit.${value}`) }))}
      />
      <ChoiceFilter
        multiple
        label={t('statistics.by')}
        options={dimensions.map((value) => ({ value, label: t(`statistics.dimension.${value}`) }))}
        value={view.dimensions.length === 0 ? undefined : view.dimensions.join(',')}
        onChange={(by) => onChange({ by: by ?? noFilter })}
      />
      <ApplicationFilter value={view.filters.appId} onChange={filter('appId')} />
      <ChoiceFilter
        label={t('statistics.dimension.carrier')}
        options={carrierFilters.map((value) => ({
          value,
          label: value === 'unknown' ? t('records.carrier.none') : value,
        }))}
        value={view.filters.carrier}
        onChange={filter('carrier')}
      />
      {isStaff ? (
        <>
          <CustomerFilter value={view.filters.customerId} onChange={filter('customerId')} />
          <MoreFilters filters={[...seldom, route]} />
        </>
      ) : (
        seldom.map((each) => <Fragment key={each.key}>{each.filter}</Fragment>)
      )}
      <ToggleChip
        icon={GitCompareArrows}
        isOn={view.compare === 1}
        onToggle={() => onChange({ compare: view.compare === 1 ? '0' : '1' })}
      >
        {t('statistics.compare')}
      </ToggleChip>
      <TestModeFilter />
    </FilterBar>
  );
}
