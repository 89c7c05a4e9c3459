import { useText } from '../../../../lib/i18n/use-text.tsx';
import { PaneGrid, PaneLegend } from '../../../../ui/panes/panes.tsx';
import { Glyph } from '../../../../ui/status/glyphs.tsx';
import type { ServicesCopy } from '../../copy/service-shapes.ts';
import { CallExample, callExample } from '../../landing/call-example.tsx';
import { PageMore } from '../page-more.tsx';
import '../page-part.css';
import './services.css';

/** A task of 10,000 in progress. */
const sample = { total: 10_000, done: 7_200, bad: 200, half: 600, now: 100 } as const;
const parts = [
  { kind: 'done', count: sample.done },
  { kind: 'bad', count: sample.bad },
  { kind: 'half', count: sample.half },
  { kind: 'now', count: sample.now },
] as const;

/** The two services, each with what it looks like, and the engine behind them. */
export function ServicesPage({ copy: { saas, cpaas, engine, more, sample: mark } }: { copy: ServicesCopy }) {
  const t = useText();
  return (
    <>
      <div className="service-pair">
        <article className="fact-cell">
          <h2>{saas.heading}</h2>
          <p>{saas.text}</p>
          <div className="fact-picture">
            <span className="tag">{mark}</span>
            <PaneGrid total={sample.total} parts={parts} label={mark} />
            <PaneLegend
              items={[
                { kind: 'done', label: t('landing.state.delivered') },
                { kind: 'half', label: t('landing.state.awaiting') },
                { kind: 'bad', label: t('landing.state.failed') },
                { kind: 'now', label: t('landing.state.inFlight') },
              ]}
            />
          </div>
          <a className="button is-primary" href="/services/saas">
            {saas.link}
          </a>
        </article>
        <article className="fact-cell">
          <h2>{cpaas.heading}</h2>
          <p>{cpaas.text}</p>
          <div className="fact-picture">
            <CallExample label={cpaas.example} pieces={callExample} />
          </div>
          <a className="button is-primary" href="/services/cpaas">
            {cpaas.link}
          </a>
        </article>
      </div>
      <section className="page-part">
        <h2 className="part-heading">{engine.heading}</h2>
        <ul className="engine-facts">
          {engine.facts.map(([heading, text]) => (
            <li key={heading}>
              <Glyph name="tick" />
              <b>{heading}</b>
              <span>{text}</span>
            </li>
          ))}
        </ul>
      </section>
      <PageMore more={more} />
    </>
  );
}
