import { ArrowRight, Check } from 'lucide-react';
import { Icon } from '../../../../ui/base/icon.tsx';
import { Glyph } from '../../../../ui/status/glyphs.tsx';
import type { CpaasCopy } from '../../copy/service-shapes.ts';
import { CallExample, callExample } from '../../landing/call-example.tsx';
import { FactCell } from '../fact-cell.tsx';
import { PageMore } from '../page-more.tsx';
import { CallbackLog } from './callback-log.tsx';
import { Feature } from './feature.tsx';
import { FlowPicture } from './flow-picture.tsx';
import '../page-part.css';
import './cpaas.css';

/** The API at work: the way of a message, its life, repeated calls, callbacks and codes. */
export function CpaasPage({ copy }: { copy: CpaasCopy }) {
  return (
    <>
      {/* On a narrow page it is scrolled sideways. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <section className="lifted flow" aria-label={copy.flow.label} tabIndex={0}>
        <FlowPicture copy={copy.flow} />
      </section>
      <Life copy={copy} />
      <Retry copy={copy.retry} />
      <Feature copy={copy.callbacks} reversed>
        <CallbackLog copy={copy} />
      </Feature>
      <Verify copy={copy.verify} />
      <Own copy={copy.own} />
      <PageMore more={copy.more} />
    </>
  );
}

/** Phone, carrier and sender ID. */
const sampleMessage = '+63 917 555 0142 · Globe · SARISARI';

function Life({ copy: { life, sample } }: { copy: CpaasCopy }) {
  return (
    <section className="page-part">
      <h2 className="part-heading">{life.heading}</h2>
      <p className="part-lead">{life.text}</p>
      <div className="life">
        <div className="sample-head">
          <span className="mono">1140943857315840</span>
          <span className="num">
            <bdi dir="ltr">{sampleMessage}</bdi>
          </span>
          <span className="grow" />
          <span className="tag">{sample}</span>
        </div>
        <ol>
          {life.stations.map(([name, time, text]) => (
            <li key={name}>
              <b>{name}</b>
              <time>{time}</time>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

function Retry({ copy }: { copy: CpaasCopy['retry'] }) {
  return (
    <section className="night-band">
      <div>
        <h2>{copy.heading}</h2>
        <p>{copy.text}</p>
        <ul>
          {copy.points.map((point) => (
            <li key={point}>
              <Icon of={Check} />
              {point}
            </li>
          ))}
        </ul>
      </div>
      <CallExample label={copy.example} pieces={callExample} />
    </section>
  );
}

function Verify({ copy }: { copy: CpaasCopy['verify'] }) {
  const pictures = [
    <pre key="start" dir="ltr">
      {'POST /api/v1/verifications\n\n{ "to": "+639175550142" }'}
    </pre>,
    <div key="phone" className="code-bubble">
      <b>{copy.brand}</b>
      <p>{copy.bubble}</p>
    </div>,
    <pre key="check" dir="ltr">
      {'POST …/verifications/{id}/check\n\n{ "code": "482913" }'}
    </pre>,
  ];
  return (
    <section className="page-part">
      <h2 className="part-heading">{copy.heading}</h2>
      <p className="part-lead">{copy.text}</p>
      <ol className="part-cells verify">
        {copy.cards.map(([where, heading, text], index) => (
          <li key={heading} className="fact-cell">
            {index > 0 && (
              <span className="stage-arrow">
                <Icon of={ArrowRight} mirror />
              </span>
            )}
            <span className="small ink-3 medium">{where}</span>
            <h3>{heading}</h3>
            <p>{text}</p>
            <div className="fact-picture">{pictures[index]}</div>
          </li>
        ))}
      </ol>
      <dl className="verify-limits">
        {copy.limits.map(([value, meaning]) => (
          <div key={value}>
            <dt>{value}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Panes of each lane: handed over, about to be, waiting. */
const lanes = [
  [9, 0, 0],
  [4, 2, 0],
  [0, 1, 8],
] as const;
const paneKinds = ['pane-done', 'pane-half', ''] as const;

const panesOf = (lane: number) =>
  paneKinds.flatMap((kind, at) =>
    Array.from({ length: lanes[lane]?.[at] ?? 0 }, (_, index) => ({ key: `${kind} ${index}`, kind })),
  );

/** Code of the error that a call from another address gets. */
const refusal = 'ADDRESS_NOT_ALLOWED';

function Own({ copy: { heading, keys, addresses, lanes: lanesCopy } }: { copy: CpaasCopy['own'] }) {
  return (
    <section className="page-part">
      <h2 className="part-heading">{heading}</h2>
      <div className="part-cells">
        <FactCell heading={keys.heading} text={keys.text}>
          <div className="key-overlap">
            <span>{keys.picture[0]}</span>
            <b>{keys.picture[1]}</b>
          </div>
        </FactCell>
        <FactCell heading={addresses.heading} text={addresses.text}>
          <ul className="addresses" dir="ltr">
            <li>
              <span className="status tone-success">
                <Glyph name="done" />
              </span>
              203.0.113.0/28
            </li>
            <li>
              <span className="status tone-success">
                <Glyph name="done" />
              </span>
              198.51.100.24
            </li>
            <li>
              <span className="status tone-danger">
                <Glyph name="failed" />
              </span>
              192.0.2.77 <small>{refusal}</small>
            </li>
          </ul>
        </FactCell>
        <FactCell heading={lanesCopy.heading} text={lanesCopy.text}>
          <ul className="lanes">
            {lanesCopy.names.map((name, lane) => (
              <li key={name}>
                <span>{name}</span>
                {panesOf(lane).map(({ key, kind }) => (
                  <i key={key} className={`pane-swatch ${kind}`} />
                ))}
              </li>
            ))}
          </ul>
        </FactCell>
      </div>
    </section>
  );
}
