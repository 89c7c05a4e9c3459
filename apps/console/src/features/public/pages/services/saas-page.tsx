import type { SaasCopy } from '../../copy/service-shapes.ts';
import { WatchCell } from '../../landing/care-section.tsx';
import { FactCell } from '../fact-cell.tsx';
import { PageMore } from '../page-more.tsx';
import { Feature } from './feature.tsx';
import { ChartPicture, ClicksPicture } from './saas-charts.tsx';
import { CheckPicture, EditorPicture } from './saas-pictures.tsx';
import '../page-part.css';
import './saas.css';

/** The console at work: a running task, then each stage with a picture of its screen. */
export function SaasPage({ copy }: { copy: SaasCopy }) {
  return (
    <>
      <div className="lifted">
        <WatchCell heading="h2" />
      </div>
      <Feature copy={copy.write}>
        <EditorPicture copy={copy} />
      </Feature>
      <Feature copy={copy.check} reversed>
        <CheckPicture copy={copy} />
      </Feature>
      <Feature copy={copy.clicks}>
        <ClicksPicture copy={copy} />
      </Feature>
      <Feature copy={copy.charts} reversed>
        <ChartPicture copy={copy} />
      </Feature>
      <Cells copy={copy.more3} />
      <PageMore more={copy.more} />
    </>
  );
}

/** Quiet hours of marketing, 12:00 to 12:00: specification §12. */
const quietHours = { from: 9, to: 19 };

function Cells({ copy: { heading, groups, limits, night } }: { copy: SaasCopy['more3'] }) {
  const [clicked, booked, rest] = groups.picture;
  return (
    <section className="page-part">
      <h2 className="part-heading">{heading}</h2>
      <div className="part-cells">
        <FactCell heading={groups.heading} text={groups.text}>
          <p className="group-sum">
            <span>{clicked}</span>−<span>{booked}</span>=<b>{rest}</b>
          </p>
        </FactCell>
        <FactCell heading={limits.heading} text={limits.text}>
          <div className="limit-gauge" aria-hidden="true" />
          <p className="limit-value">
            {limits.today} <b>{limits.value}</b>
          </p>
        </FactCell>
        <FactCell heading={night.heading} text={night.text}>
          <div className="day" aria-hidden="true">
            {Array.from({ length: 24 }, (_, hour) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the index is the hour.
              <i key={hour} className={hour >= quietHours.from && hour < quietHours.to ? 'is-quiet' : undefined} />
            ))}
          </div>
          <div className="night-hours" aria-hidden="true">
            {['12:00', '21:00', '07:00', '12:00'].map((hour, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the first and the last are the same hour.
              <span key={index}>{hour}</span>
            ))}
          </div>
        </FactCell>
      </div>
    </section>
  );
}
