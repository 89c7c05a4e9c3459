import { type DatePreset, datePresets } from '@pahatid/contract';
import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { instantToWall, wallToInstant } from '../../lib/format/zoned-time.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { MenuItem, Popover } from '../../ui/layers/popover.tsx';
import { spanText } from './statistics-text.ts';
import type { ChartView } from './view.ts';

interface PeriodFilterProps {
  view: ChartView;
  /** The range that is shown, once it is known. */
  range: { from: string; to: string } | undefined;
  onPreset: (preset: DatePreset) => void;
  onRange: (from: string, to: string) => void;
}

/** Presets of specification §9, and a range by hand in the viewer's zone. */
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
        <div className="filter-panel">
          <div>
            {datePresets.map((preset) => (
              <MenuItem
                key={preset}
                chosen={view.preset === preset}
                onClick={() => {
                  onPreset(preset);
                  close();
                }}
              >
                {t(`statistics.preset.${preset}`)}
              </MenuItem>
            ))}
          </div>
          <RangeFields
            range={range}
            onApply={(from, to) => {
              onRange(from, to);
              close();
            }}
          />
        </div>
      )}
    </Popover>
  );
}

function RangeFields({
  range,
  onApply,
}: {
  range: PeriodFilterProps['range'];
  onApply: (from: string, to: string) => void;
}) {
  const t = useText();
  const formats = useFormats();
  const { zone } = formats;
  const [from, setFrom] = useState(range ? instantToWall(range.from, zone).slice(0, 16) : '');
  const [to, setTo] = useState(range ? instantToWall(range.to, zone).slice(0, 16) : '');
  const backwards = from !== '' && to !== '' && to <= from;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!backwards && from !== '' && to !== '') onApply(wallToInstant(from, zone), wallToInstant(to, zone));
      }}
    >
      <label className="stack small">
        {t('ui.range.from')}
        <input
          className="input"
          type="datetime-local"
          required
          value={from}
          onChange={(e) => setFrom(e.target.value)}
        />
      </label>
      <label className="stack small">
        {t('ui.range.to')}
        <input
          className="input"
          type="datetime-local"
          required
          value={to}
          aria-invalid={backwards}
          onChange={(e) => setTo(e.target.value)}
        />
      </label>
      <span className={backwards ? 'tiny is-danger' : 'tiny ink-3'} role={backwards ? 'alert' : undefined}>
        {backwards ? t('ui.range.backwards') : t('ui.zoned', { zone: formats.zoneName, offset: formats.zoneOffset() })}
      </span>
      <Button type="submit" variant="primary" size="small">
        {t('ui.apply')}
      </Button>
    </form>
  );
}
