import type { Overview } from '@pahatid/contract';
import { TrendingDown, TrendingUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '../../lib/api/session.ts';
import { type Formats, useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { type Kpi, KpiStrip } from '../../ui/page/page.tsx';
import { acceptedChange, type Change, changeOf } from './change.ts';
import { CountUp } from './count-up.tsx';
import type { OverviewRange } from './overview-range.ts';
import { acceptedShare, awaitingReceipt, deliveredShare, inFlight, shareOf, toPercent } from './shares.ts';
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
    : {
        value: (
          <CountUp
            value={toPercent(share)}
            format={(now) => formats.number(now, { minimumFractionDigits: 1, maximumFractionDigits: 1 })}
          />
        ),
        unit: '%',
      };

/** The five figures of a range. Accepted and delivered are separate: an accepted message has not arrived yet. */
export function FigureStrip({ overview, range }: { overview: Overview; range: OverviewRange }) {
  const t = useText();
  const formats = useFormats();
  const { figures, before } = overview;
  const { customer } = useSession();
  const whole = (value: number) => formats.number(Math.round(value));
  // If both periods are empty, there is nothing to compare.
  const isQuiet = figures.messages === 0 && before.figures.messages === 0;
  const compared = (change: (before: Overview['figures']) => Change, note: ReactNode) =>
    isQuiet ? (
      note
    ) : (
      <>
        <ChangeNote change={change(before.figures)} against={t(`overview.against.${range}`)} />
        {note}
      </>
    );
  const busiest = busiestSlot(overview.trend);
  const waiting = inFlight(figures);
  const refused = t('overview.accepted.note', { count: figures.refused });
  const perMessage = shareOf(figures.segments, figures.accepted);
  const course = (ofSlot: (slot: Overview['trend'][number]) => number | null): ReactNode => (
    <Sparkline values={overview.trend.map(ofSlot)} />
  );
  const items: Kpi[] = [
    {
      key: 'messages',
      course: course(({ messages }) => messages),
      label: t('overview.messages'),
      value: <CountUp value={figures.messages} format={whole} />,
      note: compared(
        (then) => changeOf('messages', figures, then),
        busiest
          ? range === 'today'
            ? t('overview.messages.hour', { time: formats.date(busiest.time, 'minute') })
            : t('overview.messages.day', { day: formats.date(busiest.time, 'monthDay') })
          : t('overview.messages.none'),
      ),
    },
    {
      key: 'segments',
      course: course(({ segments }) => segments),
      label: t('overview.segments'),
      value: <CountUp value={figures.segments} format={whole} />,
      note: compared(
        (then) => changeOf('segments', figures, then),
        perMessage && t('overview.segments.note', { average: formats.number(perMessage, twoDigits) }),
      ),
    },
    {
      key: 'accepted',
      course: course(({ accepted, refused: no }) => shareOf(accepted, accepted + no)),
      label: t('overview.accepted'),
      ...shareFigure(acceptedShare(figures), formats),
      note: (
        <>
          {waiting > 0 && <span className="overview-change">{t('statistics.note.inFlight', { count: waiting })}</span>}
          {compared((then) => acceptedChange(figures, then), refused)}
        </>
      ),
    },
    {
      key: 'delivered',
      course: course(({ accepted, delivered }) => shareOf(delivered, accepted)),
      label: t('overview.delivered'),
      ...shareFigure(deliveredShare(figures), formats),
      note: t('overview.delivered.note', { count: awaitingReceipt(figures) }),
    },
    {
      key: 'spend',
      course: course(({ spend }) => spend),
      label: t('overview.spend'),
      value: (
        <span title={formats.money(figures.spend)}>
          <CountUp value={figures.spend} format={(now) => figureMoney(Math.round(now), formats)} />
        </span>
      ),
      note: compared(
        (then) => changeOf('spend', figures, then),
        customer &&
          customer.reserved !== null &&
          t('overview.spend.note', { amount: formats.money(customer.reserved) }),
      ),
    },
  ];
  return <KpiStrip items={items} label={t(`overview.figures.${range}`)} />;
}

/** Up or down by how much, and against what; a label if there is nothing to compare with. */
function ChangeNote({ change, against }: { change: Change; against: string }) {
  const t = useText();
  const formats = useFormats();
  if (change === null) return <span className="overview-change">{t('overview.change.none', { against })}</span>;
  const by =
    change.unit === 'share'
      ? formats.number(change.by, {
          style: 'percent',
          signDisplay: 'exceptZero',
          maximumFractionDigits: Math.abs(change.by) < 1 ? 1 : 0,
        })
      : t('overview.change.points', {
          by: formats.number(change.by * 100, { signDisplay: 'exceptZero', maximumFractionDigits: 1 }),
        });
  return (
    <span className="overview-change">
      {Math.round(change.by * 1_000) !== 0 && (
        <Icon of={change.by > 0 ? TrendingUp : TrendingDown} size="small" mirror />
      )}
      {t.rich('overview.change', {
        by: <b>{change.unit === 'share' ? <bdi dir="ltr">{by}</bdi> : by}</b>,
        against,
      })}
    </span>
  );
}

const twoDigits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
