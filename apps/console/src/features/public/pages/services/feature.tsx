import type { ReactNode } from 'react';
import type { FeatureCopy } from '../../copy/service-shapes.ts';
import './feature.css';

/** A text next to a picture of the product; `reversed`: the picture comes first. */
export function Feature({ copy, reversed, children }: { copy: FeatureCopy; reversed?: boolean; children: ReactNode }) {
  return (
    <section className={reversed ? 'feature is-reversed' : 'feature'}>
      <div>
        <h2>{copy.heading}</h2>
        <p>{copy.text}</p>
        <ul>
          {copy.points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      </div>
      {children}
    </section>
  );
}

interface SampleWindowProps {
  name: ReactNode;
  aside?: ReactNode;
  sample: string;
  children: ReactNode;
}

/** A part of the product as on screen, marked as a sample. */
export function SampleWindow({ name, aside, sample, children }: SampleWindowProps) {
  return (
    <div className="sample-window">
      <div className="sample-head">
        <b>{name}</b>
        {aside}
        <span className="grow" />
        <span className="tag">{sample}</span>
      </div>
      {children}
    </div>
  );
}
