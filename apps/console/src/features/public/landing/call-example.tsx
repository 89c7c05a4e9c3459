import { Fragment } from 'react';

interface Piece {
  /** `b` a name, `i` a value, `span` what is beside the point. */
  as: 'b' | 'i' | 'span' | typeof Fragment;
  text: string;
}

/** A call and its answer. */
export const callExample: readonly Piece[] = [
  { as: 'b', text: 'POST' },
  { as: Fragment, text: ' /api/v1/messages\n' },
  { as: 'span', text: 'Authorization: ' },
  { as: Fragment, text: 'Basic appId:appSecret\n' },
  { as: 'span', text: 'Idempotency-Key: ' },
  { as: Fragment, text: 'order-4417-shipped\n\n{\n' },
  { as: 'b', text: '  "to": ' },
  { as: 'i', text: '"+639175550142",\n' },
  { as: 'b', text: '  "smsType": ' },
  { as: 'i', text: '2,\n' },
  { as: 'b', text: '  "content": ' },
  { as: 'i', text: '"Parcel 4417 is here."' },
  { as: Fragment, text: '\n}\n\n' },
  { as: 'span', text: '202 Accepted\n' },
  { as: 'b', text: '{ "messageId": ' },
  { as: 'i', text: '"1140943857315840",\n' },
  { as: 'b', text: '  "pkgTotal": ' },
  { as: 'i', text: '1 }' },
];

/** What the customer's server is told of the same message: `clientStatus` 2 is delivered. */
export const callbackExample: readonly Piece[] = [
  { as: 'b', text: 'POST' },
  { as: Fragment, text: ' https://shop.example/callback\n' },
  { as: 'span', text: 'webhook-id: ' },
  { as: Fragment, text: 'msg_01a200c4ce5376c59c4ec728\n' },
  { as: 'span', text: 'webhook-timestamp: ' },
  { as: Fragment, text: '1767577262\n' },
  { as: 'span', text: 'webhook-signature: ' },
  { as: Fragment, text: 'v1,K5oZfzN95Z9UVu1E…\n\n{\n' },
  { as: 'b', text: '  "type": ' },
  { as: 'i', text: '"message.status",\n' },
  { as: 'b', text: '  "timestamp": ' },
  { as: 'i', text: '"2026-01-05T01:41:02.118Z",\n' },
  { as: 'b', text: '  "data": {\n' },
  { as: 'b', text: '    "messageId": ' },
  { as: 'i', text: '"1140943857315840",\n' },
  { as: 'b', text: '    "clientStatus": ' },
  { as: 'i', text: '2, …' },
  { as: Fragment, text: '\n  }\n}' },
];

export function CallExample({ label, pieces }: { label: string; pieces: readonly Piece[] }) {
  return (
    <figure className="code" aria-label={label}>
      <pre dir="ltr">
        {pieces.map(({ as: Part, text }) => (
          <Part key={text}>{text}</Part>
        ))}
      </pre>
    </figure>
  );
}
