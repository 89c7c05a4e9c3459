import type { ChartType } from '@pahatid/contract';
import { useNavigate } from '@tanstack/react-router';
import { ChartColumn, ChartLine, ChartPie, Image } from 'lucide-react';
import { useRef } from 'react';
import { saveBlob } from '../../lib/api/export-csv.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { useColorMode } from '../../ui/theme/color-mode.ts';
import { dark, light } from '../../ui/theme/tokens.ts';
import type { Line } from './chart-lines.ts';
import { ChartPicture, type TakePicture } from './chart-picture.tsx';
import { MetricsChooser } from './metrics-chooser.tsx';
import { recordsBehind } from './records-behind.ts';
import { rangeText } from './statistics-text.ts';
import type { Division } from './use-division.ts';
import { useTextures } from './use-textures.ts';
import type { ChartView, ViewAddress } from './view.ts';

const typeIcons = { line: ChartLine, bar: ChartColumn, pie: ChartPie } as const;

interface ChartPanelProps {
  title: string;
  view: ChartView;
  division: Division;
  onChange: (patch: ViewAddress) => void;
  onPeriod: (from: string, to: string) => void;
  /** Shows the groups of the "others" series: at a step, or null, of the whole range. */
  onGathered: (at: number | null) => void;
}

/** The chart with its kind, its png, and links to the records behind each point. */
export function ChartPanel({ title, view, division, onChange, onPeriod, onGathered }: ChartPanelProps) {
  const t = useText();
  const formats = useFormats();
  const navigate = useNavigate();
  const { dir } = useTexts();
  const mode = useColorMode();
  const take = useRef<TakePicture | null>(null);
  const { isOn, textures, choose } = useTextures();
  const { statistics } = division;

  const open = ({ group, metric, isBefore }: Line, step: number | null) => {
    if (group.values === null) return onGathered(step);
    const period = isBefore && statistics.before ? statistics.before : statistics;
    const time = step === null ? null : (period.times[step] ?? null);
    const search = recordsBehind({ group, metric, time }, view, period, formats.zone);
    if (search) void navigate({ to: '/bussinessStatistics/sendRecord', search });
  };
  const savePng = async () => {
    const palette = mode === 'dark' ? dark : light;
    const picture = take.current?.(palette, 2);
    if (picture === undefined) return;
    try {
      const { pngOf } = await import('./png-of.ts');
      const caption = { title, range: rangeText(statistics, view, formats), rtl: dir === 'rtl', names: picture.names };
      const name = title.replaceAll(/[\\/:*?"<>|]+/g, ' ').trim() || 'chart';
      saveBlob(await pngOf(picture.canvas, caption, palette, 2), `${name}.png`);
    } catch (error) {
      toastError(error);
    }
  };

  return (
    <Panel
      title={<bdi>{title}</bdi>}
      aside={
        <div className="row">
          <Segmented<ChartType>
            label={t('statistics.type')}
            value={view.chartType}
            onChange={(kind) => onChange({ type: kind })}
            options={(['line', 'bar', 'pie'] as const).map((value) => ({
              value,
              label: (
                <span title={t(`statistics.type.${value}`)} className="row">
                  <Icon of={typeIcons[value]} />
                  <span className="visually-hidden">{t(`statistics.type.${value}`)}</span>
                </span>
              ),
            }))}
          />
          <MetricsChooser view={view} onChange={onChange} hasTextures={isOn} onTextures={choose} />
          <Button
            variant="quiet"
            size="small"
            icon={Image}
            aria-label={t('statistics.png')}
            title={t('statistics.png')}
            onClick={() => void savePng()}
          />
        </div>
      }
    >
      <ChartPicture
        title={title}
        view={view}
        division={division}
        textures={textures}
        onOpen={open}
        onPeriod={onPeriod}
        onReady={(made) => {
          take.current = made;
        }}
      />
    </Panel>
  );
}
