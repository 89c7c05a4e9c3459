import type { ProseWords, Section } from '../words/shapes.ts';

export function ProseSection({ section }: { section: Section }) {
  return (
    <section>
      <h2>{section.heading}</h2>
      {section.paragraphs.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {section.points && (
        <ul>
          {section.points.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** About, terms and privacy: text to read. */
export function ProsePage({ words }: { words: ProseWords }) {
  return (
    <div className="prose">
      {words.sections.map((section) => (
        <ProseSection key={section.heading} section={section} />
      ))}
    </div>
  );
}
