import type { ReactNode } from 'react';

/** A rule or a feature with a small picture below it. */
export function FactCell({ heading, text, children }: { heading: string; text: string; children: ReactNode }) {
  return (
    <article className="fact-cell">
      <h3>{heading}</h3>
      <p>{text}</p>
      <div className="fact-picture">{children}</div>
    </article>
  );
}
