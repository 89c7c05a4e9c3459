import { Fragment } from 'react';

interface Piece {
  /** Start position, unique to this piece. */
  at: number;
  kind: 'name' | 'value' | 'aside' | 'plain';
  text: string;
}

const tags = { name: 'b', value: 'i', aside: 'span', plain: Fragment } as const;
/** Names and values of JSON, and the less important parts: header names, the status line. */
const tokens = /(?<name>^POST|"\w+": )|(?<value>(?<=": )(?:"[^"]*"|\d+),?(?: …)?)|(?<aside>^[\w-]+: |^\d{3} \w+)/gm;

/** A text of HTTP in its parts, each of which has its colour. */
function makeSample(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  const add = (end: number, kind: Piece['kind']) => {
    if (end > done) pieces.push({ at: done, kind, text: text.slice(done, end) });
    done = end;
  };
  for (const { 0: found, index, groups } of text.matchAll(tokens)) {
    add(index, 'plain');
    add(index + found.length, groups?.['name'] ? 'name' : groups?.['value'] ? 'value' : 'aside');
  }
  add(text.length, 'plain');
  return pieces;
}

/** A call and its response. */
export const callExample = makeSample(`POST /api/v1/messages
Authorization: Basic appId:appSecret
Idempotency-Key: order-4417-shipped

{
  "to": "+639175550142",
  "smsType": 2,
  "content": "Parcel 4417 is here."
}

202 Accepted
{ "messageId": "1140943857315840",
  "pkgTotal": 1 }`);

export function CallExample({ label, pieces }: { label: string; pieces: readonly Piece[] }) {
  return (
    <figure className="code" aria-label={label}>
      <pre dir="ltr">
        {pieces.map(({ at, kind, text }) => {
          const Part = tags[kind];
          return <Part key={at}>{text}</Part>;
        })}
      </pre>
    </figure>
  );
}
