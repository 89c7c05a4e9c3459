import type { More } from '../copy/shapes.ts';

/** The end of a page: where to go from here. */
export function PageMore({ more }: { more: More }) {
  return (
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
  );
}
