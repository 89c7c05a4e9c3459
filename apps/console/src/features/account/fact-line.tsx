import { Fragment, type ReactNode } from 'react';

/** A few facts in a row; each keeps its own direction, and the row the page's. */
export function FactLine({ facts }: { facts: readonly ReactNode[] }) {
  return facts.map((fact, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the facts have their places.
    <Fragment key={index}>
      {index > 0 && <span aria-hidden="true"> · </span>}
      <bdi>{fact}</bdi>
    </Fragment>
  ));
}
