import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormats } from '../../../lib/format/formats.ts';
import { useText } from '../../../lib/i18n/use-text.tsx';
import { classNames } from '../../../ui/base/class-names.ts';
import { Icon } from '../../../ui/base/icon.tsx';
import { PaneGrid, PaneLegend } from '../../../ui/panes/panes.tsx';
import { StatusTag } from '../../../ui/status/status-tag.tsx';

/** Features before and after sending, each with a small picture. */
export function CareSection() {
  const t = useText();
  return (
    <section className="site-width landing-part">
      <h2>{t('landing.care.title')}</h2>
      <div className="facts-grid">
        <WatchCell />
        <FileCell />
        <SegmentCell />
        <NightCell />
        <ReviewCell />
      </div>
    </section>
  );
}

function Cell({ span, title, text, children }: { span: 2 | 3 | 4; title: string; text: string; children: ReactNode }) {
  return (
    <article className={`fact-cell span-${span}`}>
      <h3>{title}</h3>
      <p>{text}</p>
      <div className="fact-picture">{children}</div>
    </article>
  );
}

/** A task of 10,000 in progress. */
const sample = { total: 10_000, done: 5_900, bad: 200, half: 300, now: 100 } as const;

/** Also on the page of the marketing cloud. */
export function WatchCell({ heading: Heading = 'h3' }: { heading?: 'h2' | 'h3' }) {
  const t = useText();
  const formats = useFormats();
  return (
    <article className="fact-cell span-6">
      <div>
        <Heading>{t('landing.watch.title')}</Heading>
        <p>{t('landing.watch.text')}</p>
        <PaneLegend
          items={[
            { kind: 'done', label: t('landing.state.delivered') },
            { kind: 'half', label: t('landing.state.awaiting') },
            { kind: 'bad', label: t('landing.state.failed') },
            { kind: 'now', label: t('landing.state.inFlight') },
          ]}
        />
      </div>
      <div>
        <div className="row watch-head">
          <span className="strong small">{t('landing.watch.task')}</span>
          <StatusTag glyph="half" tone="primary">
            {t('landing.state.sending')}
          </StatusTag>
          <span className="grow" />
          <span className="tag">{t('landing.sample')}</span>
        </div>
        <PaneGrid
          total={sample.total}
          label={t('landing.watch.label', {
            total: formats.number(sample.total),
            delivered: formats.number(sample.done),
          })}
          parts={[
            { kind: 'done', count: sample.done },
            { kind: 'bad', count: sample.bad },
            { kind: 'half', count: sample.half },
            { kind: 'now', count: sample.now },
          ]}
        />
      </div>
    </article>
  );
}

const readings = [
  { written: '0917-555-0142', read: '+63 917 555 0142' },
  { written: '9175550142', read: '+63 917 555 0142' },
  { written: '9.17556E+09', refused: 'landing.file.damaged' },
  { written: '(02) 8123 4567', refused: 'landing.file.fixed' },
] as const;

function FileCell() {
  const t = useText();
  return (
    <Cell span={3} title={t('landing.file.title')} text={t('landing.file.text')}>
      <ul className="readings">
        {readings.map((reading) => (
          <li key={reading.written}>
            <bdi dir="ltr" className="mono">
              {reading.written}
            </bdi>
            <Icon of={ArrowRight} size="small" mirror />
            {'read' in reading ? (
              <bdi dir="ltr" className="num">
                {reading.read}
              </bdi>
            ) : (
              <span className="is-danger small">{t(reading.refused)}</span>
            )}
          </li>
        ))}
      </ul>
    </Cell>
  );
}

/** Characters in each segment: 320 of GSM and 150 of any other script, specification §9. */
const segmentations = [
  { key: 'landing.segments.gsm', parts: [153, 153, 14] },
  { key: 'landing.segments.other', parts: [67, 67, 16] },
] as const;

function SegmentCell() {
  const t = useText();
  return (
    <Cell span={3} title={t('landing.segments.title')} text={t('landing.segments.text')}>
      {segmentations.map(({ key, parts }) => (
        <div key={key} className="segmentation">
          <span className="tiny ink-3">{t(key)}</span>
          <div className="segment-parts" aria-hidden="true">
            {parts.map((part, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two parts may hold the same number.
              <i key={index} className={`is-${part}`}>
                {part}
              </i>
            ))}
          </div>
        </div>
      ))}
    </Cell>
  );
}

const quietFrom = 21;
const quietUntil = 7;

function NightCell() {
  const t = useText();
  return (
    <Cell span={4} title={t('landing.night.title')} text={t('landing.night.text')}>
      <div className="day" aria-hidden="true">
        {Array.from({ length: 24 }, (_, hour) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the hour.
          <i key={hour} className={classNames((hour >= quietFrom || hour < quietUntil) && 'is-quiet')} />
        ))}
      </div>
      <div className="day-hours" aria-hidden="true">
        {['00:00', '07:00', '14:00', '21:00', '24:00'].map((hour) => (
          <span key={hour}>
            <bdi dir="ltr">{hour}</bdi>
          </span>
        ))}
      </div>
    </Cell>
  );
}

function ReviewCell() {
  const t = useText();
  const hours = [
    { key: 'week', value: '9:00–21:00' },
    { key: 'weekend', value: '9:00–18:00' },
  ] as const;
  return (
    <Cell span={2} title={t('landing.review.title')} text={t('landing.review.text')}>
      <dl className="review-hours">
        {hours.map(({ key, value }) => (
          <div key={key}>
            <dt>{t(`landing.review.${key}`)}</dt>
            <dd>
              <bdi dir="ltr">{value}</bdi>
            </dd>
          </div>
        ))}
        <div>
          <dt>{t('landing.review.holidays')}</dt>
          <dd>{t('landing.review.delayed')}</dd>
        </div>
      </dl>
    </Cell>
  );
}
