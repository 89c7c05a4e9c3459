import type { TaskEstimate } from '@pahatid/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Explained } from '../../ui/data/explain.tsx';
import { CostReceipt } from '../../ui/data/pictures.tsx';
import { Bdi, Count, Dash, Money } from '../../ui/data/text.tsx';
import { Note } from '../../ui/page/page.tsx';
import { isExact, priceRange } from './estimate.ts';
import type { Estimate } from './use-estimate.ts';

type Given = Pick<Estimate, 'recipients' | 'segments' | 'cost' | 'figures' | 'problem'>;

/** What sending will cost, how that is made up, and whether the balance is enough. */
export function EstimateReceipt({ estimate }: { estimate: Given }) {
  const t = useText();
  const formats = useFormats();
  const { customer } = useSession();
  const { recipients, segments, cost, figures, problem } = estimate;
  const available = (customer?.balance ?? 0) - (customer?.reserved ?? 0);
  const about = (value: string, exact: boolean): ReactNode => (exact ? value : t('tasks.estimate.about', { value }));
  return (
    <div className="stack">
      <CostReceipt
        lines={[
          { key: 'recipients', label: t('tasks.recipients'), value: <Count value={recipients} /> },
          {
            key: 'segments',
            label: <Explained term={t('tasks.segments')} text={t('shell.explain.segment')} />,
            value: segments ? <Bdi>{about(formats.number(segments.segments), segments.exact)}</Bdi> : <Dash />,
          },
          ...(figures && figures.segmentsMax > 0
            ? [{ key: 'each', label: t('taskFigures.segmentsEach'), value: <SegmentsEach figures={figures} /> }]
            : []),
          // If the cost is known without the figures, a line without a price would only raise a question.
          ...(figures || cost === null
            ? [{ key: 'price', label: t('tasks.price'), value: <Price figures={figures} /> }]
            : []),
        ]}
        totalLabel={t('tasks.estimatedCost')}
        total={<Money value={cost} />}
        note={
          cost === null ? (
            t('tasks.cost.afterCheck')
          ) : (
            <span className="row">
              <span className="grow">{t('tasks.balanceAfter')}</span>
              <span className={available < cost ? 'is-danger' : undefined}>
                <Money value={available - cost} />
              </span>
            </span>
          )
        }
      />
      {cost !== null && available < cost && <TooLittle needed={cost} available={available} />}
      {problem && <Note tone="warning">{t('taskFigures.problem', { reason: errorText(problem, t) })}</Note>}
      {figures && <Carriers figures={figures} />}
    </div>
  );
}

function SegmentsEach({ figures }: { figures: TaskEstimate }) {
  const t = useText();
  const { segmentsMin: min, segmentsMax: max, segmentsAverage: average } = figures;
  if (min === max) return <Bdi>{t('taskFigures.each', { count: max })}</Bdi>;
  return <Bdi>{t('taskFigures.range', { min, max, average })}</Bdi>;
}

function Price({ figures }: { figures: TaskEstimate | undefined }) {
  const formats = useFormats();
  const range = figures ? priceRange(figures) : null;
  if (range === null) return <Dash />;
  const { low, high } = range;
  if (low === high) return <Money value={low} />;
  return <Bdi>{`${formats.money(low)} – ${formats.money(high)}`}</Bdi>;
}

/** Shown before the button would fail for it. */
function TooLittle({ needed, available }: { needed: number; available: number }) {
  const t = useText();
  const mayTopUp = useMay('owner');
  return (
    <Note tone="warning">
      <TooLittleText needed={needed} available={available} />{' '}
      {mayTopUp && <Link to="/billing">{t('taskFigures.billing')}</Link>}
    </Note>
  );
}

export function TooLittleText({ needed, available }: { needed: number; available: number }) {
  const t = useText();
  const formats = useFormats();
  return t('tasks.balanceTooLow', {
    needed: formats.money(needed),
    available: formats.money(available),
    missing: formats.money(Math.max(0, needed - available)),
  });
}

function Carriers({ figures }: { figures: TaskEstimate }) {
  const t = useText();
  const formats = useFormats();
  const { carriers, droppedCount, noConsentCount } = figures;
  if (carriers.length === 0) return null;
  return (
    <section className="stack tasks-carriers" aria-label={t('taskFigures.carriers')}>
      <table className="plain-table">
        <caption>{t('taskFigures.carriers')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('taskFigures.carrier')}</th>
            <th scope="col" className="is-end">
              {t('tasks.recipients')}
            </th>
            <th scope="col" className="is-end">
              {t('tasks.segmentsEach')}
            </th>
            <th scope="col" className="is-end">
              {t('taskFigures.cost')}
            </th>
          </tr>
        </thead>
        <tbody>
          {carriers.map((one) => (
            <tr key={`${one.areaCode}${one.carrier}`}>
              <td>
                <bdi>{carrierName(one, t('taskFigures.carrier.none'))}</bdi>
              </td>
              <td className="is-end">
                <Count value={one.recipients} />
              </td>
              <td className="is-end">
                <Count value={one.segments} />
              </td>
              <td className="is-end">
                <Money value={one.cost} />
                <span className="tiny ink-3 tasks-price">
                  <Bdi>× {formats.money(one.price)}</Bdi>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="tiny ink-3">
        {isExact(figures)
          ? t('taskFigures.exact')
          : t('taskFigures.spread', { read: figures.readCount, rows: figures.rowCount })}{' '}
        {droppedCount > 0 && t('taskFigures.dropped', { count: droppedCount })}
        {noConsentCount > 0 && ` ${t('tasks.loss.noConsent', { count: formats.number(noConsentCount) })}`}
      </p>
    </section>
  );
}

const carrierName = (one: { areaCode: string; carrier: string | null }, unknown: string): string => {
  const name = one.carrier ?? unknown;
  return one.areaCode === 'PH' ? name : `${one.areaCode} · ${name}`;
};
