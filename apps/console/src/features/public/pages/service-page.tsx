import type { ReactNode } from 'react';
import { Glyph } from '../../../ui/status/glyphs.tsx';
import type { ServiceWords } from '../words/shapes.ts';

/** `picture`: illustrates the service. */
export function ServicePage({ words, picture }: { words: ServiceWords; picture?: ReactNode }) {
  const { more } = words;
  return (
    <>
      {picture && <div className="service-picture">{picture}</div>}
      <div className="cards">
        {words.blocks.map(({ heading, text, points, link }) => (
          <article key={heading}>
            <h2>{heading}</h2>
            <p>{text}</p>
            <ul>
              {points?.map((point) => (
                <li key={point}>
                  <Glyph name="tick" />
                  {point}
                </li>
              ))}
            </ul>
            {link && (
              <a className="button" href={link.href}>
                {link.label}
              </a>
            )}
          </article>
        ))}
      </div>
      <section className="page-more">
        <div>
          <h2>{more.heading}</h2>
          <p>{more.text}</p>
        </div>
        <div className="row">
          {more.links.map(({ href, label }, index) => (
            <a key={href} className={index === 0 ? 'button is-primary is-large' : 'button is-large'} href={href}>
              {label}
            </a>
          ))}
        </div>
      </section>
    </>
  );
}
