import { type DatePreset, datePresets } from '@pahatid/contract';
import { CalendarDays } from 'lucide-react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { DateRange } from '../../ui/dates/date-range.tsx';
import { Popover } from '../../ui/layers/popover.tsx';
import { spanText } from './statistics-text.ts';
import type { ChartView } from './view.ts';

interface PeriodFilterProps {
  view: ChartView;
  /** The range that is shown, once it is known. */
  range: { from: string; to: string } | undefined;
  onPreset: (preset: DatePreset) => void;
  onRange: (from: string, to: string) => void;
}

/** Those of specification §9 first. */
const presets = datePresets.toSorted((a, b) => Number(a === 'last24Hours') - Number(b === 'last24Hours'));

/** Presets, and a range by hand in the viewer's zone. */
export function PeriodFilter({ view, range, onPreset, onRange }: PeriodFilterProps) {
  const t = useText();
  const formats = useFormats();
  const days = range && spanText(range, view, formats);
  const name = view.preset === null ? t('statistics.range') : t(`statistics.preset.${view.preset}`);
  return (
    <Popover
      label={t('statistics.period')}
      button={{
        icon: CalendarDays,
        className: 'chip is-on',
        label: <span className="clip">{days && view.preset !== null ? `${days} · ${name}` : (days ?? name)}</span>,
      }}
    >
      {(close) => (
        <DateRange
          isClosed
          presets={presets.map((preset) => ({
            key: preset,
            label: t(`statistics.preset.${preset}`),
            isChosen: view.preset === preset,
            onChoose: () => {
              onPreset(preset);
              close();
            },
          }))}
          from={range?.from}
          to={range?.to}
          onApply={(from, to) => {
            if (from !== undefined && to !== undefined) onRange(from, to);
            close();
          }}
          onCancel={close}
        />
      )}
    </Popover>
  );
}
