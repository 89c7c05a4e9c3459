import { Carrier } from '@pahatid/contract';
import type { PriceCopy } from '../copy/shapes.ts';

/** Carriers of the table; the last row is for numbers whose carrier is not known. */
const carriers: readonly (string | null)[] = [...Object.values(Carrier), null];

/** The server replaces `{{price:carrier:smsType}}` by the current price, as text and as 1/10,000 PHP. */
const mark = (carrier: string | null, smsType: number, as: 'text' | 'units') =>
  `{{price-${as}:${carrier ?? ''}:${smsType}}}`;

/** The table, which the page's script shortens: carriers with the same prices stand in one line, one price in all in large. */
export function PriceList({ copy }: { copy: PriceCopy }) {
  const { one } = copy;
  return (
    <section className="page-part">
      <div className="price-one" id="one-price" hidden>
        <p>
          <bdi dir="ltr">{mark(null, 1, 'text')}</bdi> <small>{one.perSegment}</small>
        </p>
        <dl>
          <div>
            <dt>{one.to}</dt>
            <dd>{one.carriers}</dd>
          </div>
          <div>
            <dt>{one.for}</dt>
            <dd>{copy.types.join(' · ')}</dd>
          </div>
          <div>
            <dt>{one.elsewhere}</dt>
            <dd>
              {one.elsewhereText} <a href="/contact">{copy.ask}</a>
            </dd>
          </div>
        </dl>
      </div>
      <div className="price-list">
        <table className="price-table">
          <caption>
            <h2>{copy.table}</h2>
          </caption>
          <thead>
            <tr>
              <th scope="col">{copy.carrier}</th>
              {copy.types.map((type) => (
                <th key={type} scope="col">
                  {type}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {carriers.map((carrier) => (
              <tr key={carrier ?? ''}>
                <th scope="row">{carrier ?? copy.other}</th>
                {copy.types.map((type, index) => (
                  <td key={type} data-type={index + 1} data-units={mark(carrier, index + 1, 'units')}>
                    <bdi dir="ltr">{mark(carrier, index + 1, 'text')}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
