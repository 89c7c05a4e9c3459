import type { Overview } from '@pahatid/contract';
import { type Formats, useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { type Kpi, KpiStrip } from '../../ui/page/page.tsx';
import type { OverviewRange } from './overview-range.ts';
import { acceptedShare, awaitingReceipt, deliveredShare, shareOf } from './shares.ts';
import { busiestSlot } from './trend.ts';

const pesoUnits = 10_000;
/** From a thousand pesos on, centavos only take the room of the digits that matter; from ten million, so do pesos. */
const wholeFrom = 1_000 * pesoUnits;
const compactFrom = 10_000_000 * pesoUnits;

/** An amount short enough for a figure; the exact one is its title. */
function figureMoney(value: number, formats: Formats): string {
  if (value < wholeFrom) return formats.money(value);
  return value < compactFrom
    ? `₱${formats.number(Math.floor(value / pesoUnits))}`
    : `₱${formats.number(value / pesoUnits, { notation: 'compact', maximumFractionDigits: 2 })}`;
}

/** A share as number and unit, which the strip sets smaller. */
const shareFigure = (share: number | null, formats: Formats): Pick<Kpi, 'value' | 'unit'> =>
  share === null
    ? { value: '–' }
    : { value: formats.number(Math.floor(share * 1_000) / 10, { minimumFractionDigits: 1 }), unit: '%' };

/** The five figures of a range. Accepted and delivered stand apart: an accepted message has not arrived yet. */
export function FigureStrip({ overview, range }: { overview: Overview; range: OverviewRange }) {
  const t = useText();
  const formats = useFormats();
  const { figures, reserved } = overview;
  const busiest = busiestSlot(overview.trend);
  const perMessage = shareOf(figures.segments, figures.accepted);
  const items: Kpi[] = [
    {
      key: 'messages',
      label: t('overview.messages'),
      value: formats.number(figures.messages),
      note: busiest
        ? range === 'today'
          ? t('overview.messages.hour', { time: formats.date(busiest.time, 'minute') })
          : t('overview.messages.day', { day: formats.date(busiest.time, 'monthDay') })
        : t('overview.messages.none'),
    },
    {
      key: 'segments',
      label: t('overview.segments'),
      value: formats.number(figures.segments),
      note: perMessage && t('overview.segments.note', { average: formats.number(perMessage, twoDigits) }),
    },
    {
      key: 'accepted',
      label: t('overview.accepted'),
      ...shareFigure(acceptedShare(figures), formats),
      note: t('overview.accepted.note', { count: figures.refused }),
    },
    {
      key: 'delivered',
      label: t('overview.delivered'),
      ...shareFigure(deliveredShare(figures), formats),
      note: t('overview.delivered.note', { count: awaitingReceipt(figures) }),
    },
    {
      key: 'spend',
      label: t('overview.spend'),
      value: <span title={formats.money(figures.spend)}>{figureMoney(figures.spend, formats)}</span>,
      note: reserved === null ? null : t('overview.spend.note', { amount: formats.money(reserved) }),
    },
  ];
  return <KpiStrip items={items} label={t(`overview.figures.${range}`)} />;
}

const twoDigits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
