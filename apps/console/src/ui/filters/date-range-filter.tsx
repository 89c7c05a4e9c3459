import { CalendarDays } from 'lucide-react';
import { type Formats, useFormats } from '../../lib/format/formats.ts';
import { endsText, isMidnight, isOtherYear } from '../../lib/format/range-text.ts';
import { dayStart } from '../../lib/format/zoned-time.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { DateRange } from '../dates/date-range.tsx';
import { FilterChip } from './filters.tsx';

interface DateRangeFilterProps {
  label: string;
  /** Instants in UTC. */
  from: string | undefined;
  to: string | undefined;
  onChange: (from: string | undefined, to: string | undefined) => void;
}

/** Presets of specification §9, and today: days back from today's start. */
const presets = [
  { key: 'ui.range.7days', days: 6 },
  { key: 'ui.range.14days', days: 13 },
  { key: 'ui.range.month', days: 29 },
  { key: 'ui.range.3months', days: 89 },
  { key: 'ui.range.today', days: 0 },
] as const;

/** Narrows a list to a span of time in the viewer's zone, by preset or by hand. */
export function DateRangeFilter({ label, from, to, onChange }: DateRangeFilterProps) {
  const t = useText();
  const formats = useFormats();
  const open = (day: string) => formats.date(day, isOtherYear(day, formats) ? 'dateTime' : 'short');
  const shown =
    from !== undefined && to !== undefined
      ? boundedText(from, to, formats)
      : `${from ? open(from) : '…'} – ${to ? open(to) : t('ui.range.now')}`;
  return (
    <FilterChip
      label={label}
      shown={from === undefined && to === undefined ? undefined : shown}
      icon={CalendarDays}
      onClear={() => onChange(undefined, undefined)}
    >
      {(close) => {
        const apply: typeof onChange = (nextFrom, nextTo) => {
          onChange(nextFrom, nextTo);
          close();
        };
        return (
          <DateRange
            presets={presets.map(({ key, days }) => {
              const start = dayStart(formats.zone, days);
              return {
                key,
                label: t(key),
                isChosen: to === undefined && from === start,
                onChoose: () => apply(start, undefined),
              };
            })}
            from={from}
            to={to}
            onApply={apply}
            onCancel={close}
          />
        );
      }}
    </FilterChip>
  );
}

const boundedText = (from: string, to: string, formats: Formats): string =>
  endsText(from, to, isMidnight(from, formats.zone) && isMidnight(to, formats.zone), formats);
