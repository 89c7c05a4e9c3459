import type { ReactNode } from 'react';
import { Glyph } from '../../../ui/status/glyphs.tsx';
import type { ServiceCopy } from '../copy/shapes.ts';
import { PageMore } from './page-more.tsx';

/** `picture`: illustrates the service. */
export function ServicePage({ copy, picture }: { copy: ServiceCopy; picture?: ReactNode }) {
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
      <PageMore more={copy.more} />
    </>
  );
}
