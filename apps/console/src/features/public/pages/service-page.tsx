import { Glyph } from '../../../ui/status/glyphs.tsx';
import type { ServiceCopy } from '../copy/shapes.ts';
import { PageMore } from './page-more.tsx';

/** The two services and the engine behind them. */
export function ServicePage({ copy }: { copy: ServiceCopy }) {
  return (
    <>
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
