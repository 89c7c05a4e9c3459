import { type ReactNode, useId } from 'react';
import './form-parts.css';

/** A numbered part of a long form. */
export function FormSection({
  step,
  title,
  fact,
  children,
}: {
  step: number;
  title: string;
  fact?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className="form-section" aria-labelledby={id}>
      <span className="step num" aria-hidden="true">
        {step}
      </span>
      <div>
        <h2 className="section-title" id={id}>
          {title}
        </h2>
        {fact && <p className="small ink-2">{fact}</p>}
      </div>
      <div className="form-section-body">{children}</div>
    </section>
  );
}
