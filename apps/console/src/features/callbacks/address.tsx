import { Fragment } from 'react';
import { Mono } from '../../ui/data/text.tsx';

/** The callback URL; a long one breaks after a slash rather than within a word. */
export function Address({ url }: { url: string }) {
  return (
    <Mono>
      {Array.from(url.matchAll(/.+?(?:[^:/]\/|$)/g), ({ 0: part, index }) => (
        <Fragment key={index}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </Mono>
  );
}
