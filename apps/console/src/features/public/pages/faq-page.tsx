import type { FaqCopy } from '../copy/shapes.ts';

/** Answers expand without a script. */
export function FaqPage({ copy }: { copy: FaqCopy }) {
  return copy.groups.map(({ heading, items }) => (
    <section key={heading} className="faq">
      <h2>{heading}</h2>
      <div>
        {items.map(({ question, answer }) => (
          <details key={question}>
            <summary>{question}</summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  ));
}
