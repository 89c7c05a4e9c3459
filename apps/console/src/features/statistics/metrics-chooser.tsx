import { statisticsMetrics } from '@pahatid/contract';
import { SlidersHorizontal } from 'lucide-react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Popover } from '../../ui/layers/popover.tsx';
import type { ChartView, ViewAddress } from './view.ts';

interface MetricsChooserProps {
  view: ChartView;
  onChange: (patch: ViewAddress) => void;
  hasTextures: boolean;
  onTextures: (next: boolean) => void;
}

/** Which figures are drawn, of which the last one stays, and whether with textures. */
export function MetricsChooser({ view, onChange, hasTextures, onTextures }: MetricsChooserProps) {
  const t = useText();
  const { selectedMetrics: chosen } = view;
  const label = t('statistics.form.metrics');
  return (
    <Popover
      align="end"
      label={label}
      button={{
        icon: SlidersHorizontal,
        variant: 'quiet',
        size: 'small',
        'aria-label': label,
        title: label,
        label: null,
      }}
    >
      {() => (
        <>
          {statisticsMetrics.map((metric) => (
            <label className="choice" key={metric}>
              <input
                type="checkbox"
                checked={chosen.includes(metric)}
                disabled={chosen.length === 1 && chosen.includes(metric)}
                onChange={() =>
                  onChange({
                    metrics: statisticsMetrics.filter((one) => (one === metric) !== chosen.includes(one)).join(','),
                  })
                }
              />
              {t(`statistics.metric.${metric}`)}
            </label>
          ))}
          <hr />
          <label className="choice">
            <input type="checkbox" checked={hasTextures} onChange={() => onTextures(!hasTextures)} />
            {t('statistics.textures')}
          </label>
        </>
      )}
    </Popover>
  );
}
