import type { ProseCopy, Section } from '../copy/shapes.ts';

export function ProseSection({ section, id }: { section: Section; id?: string | undefined }) {
  return (
    <section>
      <h2 id={id}>{section.heading}</h2>
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

/** About, terms and privacy: text pages; long ones have a list of sections alongside. */
export function ProsePage({ copy }: { copy: ProseCopy }) {
  const { sections, contents, note } = copy;
  const prose = (
    <div className="prose">
      {sections.map((section, index) => (
        <ProseSection key={section.heading} section={section} id={contents && idOf(index)} />
      ))}
      {note && <p className="small ink-3">{note}</p>}
    </div>
  );
  if (contents === undefined) return prose;
  return (
    <div className="prose-columns">
      <nav aria-label={contents}>
        <b>{contents}</b>
        {sections.map(({ heading }, index) => (
          <a key={heading} href={`#${idOf(index)}`}>
            {heading}
          </a>
        ))}
      </nav>
      {prose}
    </div>
  );
}

const idOf = (index: number) => `part-${index + 1}`;
