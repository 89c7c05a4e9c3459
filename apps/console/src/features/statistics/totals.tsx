import type { Statistics, StatisticsMetric } from '@pahatid/contract';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { KpiStrip } from '../../ui/page/page.tsx';
import { changeOf } from './series.ts';

const shown = ['reqTotalNum', 'reqSuccessNum', 'receiptSuccessNum', 'receiptFailNum', 'receiptUnknownNum'] as const;

/** Sums of the range; next to the period before if requested. */
export function Totals({ statistics }: { statistics: Statistics | undefined }) {
  const t = useText();
  const formats = useFormats();
  const { number, percent } = formats;
  const change = (metric: StatisticsMetric) => {
    if (!statistics?.before) return null;
    const by = changeOf(metric, statistics.totals, statistics.before.totals);
    if (by === null) return t('statistics.before.none');
    const sign = by > 0 ? '+' : by < 0 ? '\u2212' : '';
    return (
      <>
        <bdi dir="ltr">{`${sign}${percent(Math.abs(by))}`}</bdi> {t('statistics.before.against')}
      </>
    );
  };
  const note = (metric: (typeof shown)[number]) => {
    const totals = statistics?.totals;
    if (!totals) return null;
    if (statistics?.before) return change(metric);
    const share = (part: number, all: number) => (all === 0 ? '–' : percent(part / all));
    if (metric === 'reqTotalNum')
      return t('statistics.note.inFlight', { count: totals.reqInFlightNum + totals.reqBlockedNum });
    if (metric === 'reqSuccessNum')
      return t('statistics.note.ofHandedOver', {
        share: share(totals.reqSuccessNum, totals.reqSuccessNum + totals.reqFailNum - totals.reqBlockedNum),
      });
    return t('statistics.note.ofAccepted', { share: share(totals[metric], totals.reqSuccessNum) });
  };
  return (
    <KpiStrip
      label={t('statistics.totals')}
      items={shown.map((metric) => ({
        key: metric,
        label: t(`statistics.metric.${metric}`),
        value: statistics ? number(statistics.totals[metric]) : <Skeleton width={90} height={24} />,
        note: note(metric),
      }))}
    />
  );
}
