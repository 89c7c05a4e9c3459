import { Carrier, staffDimensions, statisticsDimensions } from '@pahatid/contract';
import { GitCompareArrows } from 'lucide-react';
import { useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { ChoiceFilter, FilterBar, TextFilter } from '../../ui/filters/filters.tsx';
import { Segmented } from '../../ui/filters/segmented.tsx';
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
  const applications = useCall('GET /applications', { query: { limit: 200 } }, { staleTime: 60_000 });
  const customers = useCall('GET /customers', { query: { limit: 200 } }, { enabled: isStaff, staleTime: 60_000 });
  const filter = (name: FilterName) => (value: string | undefined) => onChange({ [name]: value ?? noFilter });
  const dimensions = statisticsDimensions.filter((each) => isStaff || !staffDimensions.includes(each));
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
      <ChoiceFilter
        label={t('statistics.dimension.appId')}
        options={(applications.data?.items ?? []).map((app) => ({ value: app.appId, label: app.appName }))}
        value={view.filters.appId}
        onChange={filter('appId')}
      />
      <ChoiceFilter
        label={t('statistics.dimension.carrier')}
        options={[
          ...Object.values(Carrier).map((value) => ({ value: value as string, label: value as string })),
          { value: 'unknown', label: t('statistics.carrier.unknown') },
        ]}
        value={view.filters.carrier}
        onChange={filter('carrier')}
      />
      <TextFilter
        label={t('statistics.dimension.areaCode')}
        hint={t('statistics.areaCode.hint')}
        value={view.filters.areaCode}
        onChange={(value) => onChange({ areaCode: value?.toUpperCase() ?? noFilter })}
      />
      <TextFilter
        label={t('statistics.dimension.clientSid')}
        value={view.filters.clientSid}
        onChange={filter('clientSid')}
      />
      {isStaff && (
        <ChoiceFilter
          label={t('statistics.dimension.customerId')}
          options={(customers.data?.items ?? []).map((each) => ({
            value: each.customerId,
            label: each.customerName,
          }))}
          value={view.filters.customerId}
          onChange={filter('customerId')}
        />
      )}
      <Button
        className={view.compare === 1 ? 'chip is-on' : 'chip'}
        icon={GitCompareArrows}
        aria-pressed={view.compare === 1}
        onClick={() => onChange({ compare: view.compare === 1 ? '0' : '1' })}
      >
        {t('statistics.compare')}
      </Button>
    </FilterBar>
  );
}
