import type { ReactNode } from 'react';

/** A few facts in a row; each keeps its own direction, and the row the page's. */
export function FactLine({ facts }: { facts: readonly ReactNode[] }) {
  return (
    <span className="account-facts">
      {facts.map((fact, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the facts have their places.
        <span key={index}>
          <bdi>{fact}</bdi>
        </span>
      ))}
    </span>
  );
}
