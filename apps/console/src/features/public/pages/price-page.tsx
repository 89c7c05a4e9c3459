import { Carrier } from '@pahatid/contract';
import type { PriceCopy } from '../copy/shapes.ts';

/** Carriers of the table; the last row is for numbers whose carrier is not known. */
const carriers: readonly (string | null)[] = [...Object.values(Carrier), null];

/** The server replaces `{{price:carrier:smsType}}` by the current price, as text and as 1/10,000 PHP. */
const mark = (carrier: string | null, smsType: number, as: 'text' | 'units') =>
  `{{price-${as}:${carrier ?? ''}:${smsType}}}`;

export function PricePage({ copy }: { copy: PriceCopy }) {
  const { calculator } = copy;
  return (
    <div className="price-columns">
      <section className="price-list">
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
      </section>
      <section className="calculator">
        <h2>{calculator.heading}</h2>
        <p>{calculator.lead}</p>
        <noscript>
          <p>{calculator.noScript}</p>
        </noscript>
        <form id="calculator" data-range={calculator.range} data-invalid={calculator.invalid}>
          <label>
            {calculator.phones}
            <input name="phones" type="number" inputMode="numeric" min={1} max={2_000_000} defaultValue={1_000} />
          </label>
          <label>
            {calculator.segments}
            <input name="segments" type="number" inputMode="numeric" min={1} max={10} defaultValue={1} />
          </label>
          <label>
            {calculator.type}
            <select name="type" defaultValue="3">
              {copy.types.map((type, index) => (
                <option key={type} value={index + 1}>
                  {type}
                </option>
              ))}
            </select>
          </label>
          <p className="total">
            <span>{calculator.total}</span>
            <output name="total" />
          </p>
          <p className="small ink-3" id="calculator-note">
            {calculator.note}
          </p>
        </form>
      </section>
      <section className="prose price-rules">
        <h2>{copy.rules.heading}</h2>
        <ul>
          {copy.rules.points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      </section>
    </div>
  );
}
