import type { FaqWords } from '../words/shapes.ts';

/** Answers fold by themselves: no script has a part in it. */
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
