import type { ReactNode } from 'react';
import { Glyph } from '../../../ui/status/glyphs.tsx';
import type { ServiceCopy } from '../copy/shapes.ts';

/** `picture`: illustrates the service. */
export function ServicePage({ copy, picture }: { copy: ServiceCopy; picture?: ReactNode }) {
  const { more } = copy;
  return (
    <>
      {picture && <div className="service-picture">{picture}</div>}
      <div className="cards">
        {copy.blocks.map(({ heading, text, points, link }) => (
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
