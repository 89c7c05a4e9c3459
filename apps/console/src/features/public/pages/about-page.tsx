import { BellOff, Check, Ellipsis, Pause, X } from 'lucide-react';
import { Mark } from '../../../ui/base/brand.tsx';
import { Icon } from '../../../ui/base/icon.tsx';
import { Glyph } from '../../../ui/status/glyphs.tsx';
import type { AboutCopy } from '../copy/service-shapes.ts';
import { Capiz } from '../landing/capiz.tsx';
import { PageMore } from './page-more.tsx';
import { windowTrails } from './page-trails.ts';
import './about.css';

/** Why the product exists, and what it holds to. */
export function AboutPage({ copy }: { copy: AboutCopy }) {
  return (
    <>
      <Why copy={copy} />
      <Principles copy={copy.principles} />
      <CapizWindow copy={copy.window} />
      <section className="about-mark">
        <div className="about-sign">
          <Mark />
        </div>
        <div>
          <h2>{copy.mark.heading}</h2>
          <p>{copy.mark.text}</p>
          <dl>
            {copy.mark.parts.map(([name, text]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </div>
      </section>
      <section className="about-note">
        <h2>{copy.note.heading}</h2>
        <p>{copy.note.text}</p>
      </section>
      <PageMore more={copy.more} />
    </>
  );
}

function Why({ copy: { why, answers } }: { copy: AboutCopy }) {
  return (
    <div className="about-pair">
      <section>
        <h2>{why.heading}</h2>
        <p>{why.text}</p>
        <p className="about-usual">
          <s>{why.usual}</s> {why.comment}
        </p>
      </section>
      <section className="is-night">
        <h2>{answers.heading}</h2>
        <p>{answers.text}</p>
        <ul>
          <li>
            <span className="status tone-primary">
              <Glyph name="tick" />
            </span>
            <b>{answers.accepted[0]}</b>
            <span>{answers.accepted[1]}</span>
          </li>
          <li>
            <span className="status tone-success">
              <Glyph name="done" />
            </span>
            <b>{answers.delivered[0]}</b>
            <span>{answers.delivered[1]}</span>
          </li>
        </ul>
      </section>
    </div>
  );
}

/** In the order of the texts. */
const signs = [
  { of: Ellipsis, look: 'is-neutral' },
  { of: Check, look: 'is-primary' },
  { of: X, look: 'is-danger' },
  { of: Pause, look: 'is-mango' },
  { of: BellOff, look: 'is-plain' },
] as const;

function Principles({ copy: { heading, items } }: { copy: AboutCopy['principles'] }) {
  return (
    <section className="about-principles">
      <h2>{heading}</h2>
      <ol>
        {items.map(([name, text], index) => {
          const sign = signs[index];
          return (
            <li key={name}>
              <span className={`principle-sign ${sign?.look}`}>{sign && <Icon of={sign.of} size="large" />}</span>
              <span>
                <b>{name}</b>
                {text}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const windowRows = 8;
const legendKinds = ['done', 'half', 'bad', 'now'] as const;

function CapizWindow({ copy }: { copy: AboutCopy['window'] }) {
  return (
    <section className="about-window">
      <div>
        <h2>{copy.heading}</h2>
        <p>{copy.text}</p>
        <ul>
          {copy.legend.map((label, index) => (
            <li key={label}>
              <i className={`pane-swatch pane-${legendKinds[index]}`} />
              {label}
            </li>
          ))}
        </ul>
      </div>
      <div className="about-panes">
        <Capiz rows={windowRows} trails={windowTrails} />
      </div>
    </section>
  );
}
