import type { FaqWords } from '../words/shapes.ts';

/** Answers expand without a script. */
export function FaqPage({ words }: { words: FaqWords }) {
  return words.groups.map(({ heading, items }) => (
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
