import { Lightbulb } from 'lucide-react';
import { Icon } from '../../../ui/base/icon.tsx';
import type { PriceCopy } from '../copy/shapes.ts';

const sampleType = 2;

/**
 * A text with its segments and cost, by `browser/price.ts`. Behind the textarea the same text is laid out once more, with a
 * tint for each segment.
 */
export function PriceCalculator({ copy }: { copy: PriceCopy }) {
  const { calculator } = copy;
  return (
    <section aria-label={calculator.heading}>
      <noscript>
        <p>{calculator.noScript}</p>
      </noscript>
      <form id="calculator" className="calculator" data-says={JSON.stringify(calculator.says)} noValidate>
        <div className="calculator-text">
          <div className="calculator-head">
            <label htmlFor="calculator-text">{calculator.text}</label>
            <small>{calculator.local}</small>
          </div>
          <div className="segment-text">
            <div className="segment-mirror" aria-hidden="true" />
            <textarea
              id="calculator-text"
              name="text"
              maxLength={500}
              rows={4}
              dir="auto"
              spellCheck={false}
              aria-describedby="text-counts"
              defaultValue={calculator.sample}
            />
          </div>
          <div className="segment-bar" aria-hidden="true" />
          <p className="segment-counts" id="text-counts" role="status">
            <span />
            <b />
          </p>
          <div className="unicode-finding" hidden>
            <Icon of={Lightbulb} />
            <span />
            <button type="button" className="button is-small">
              {calculator.replace}
            </button>
          </div>
        </div>
        <div className="calculator-cost">
          <div className="calculator-fields">
            <label>
              {calculator.phones}
              <input name="phones" type="number" inputMode="numeric" min={1} max={2_000_000} defaultValue={10_000} />
            </label>
            <label>
              {calculator.type}
              <select name="type" defaultValue={sampleType}>
                {copy.types.map((type, index) => (
                  <option key={type} value={index + 1}>
                    {type}
                  </option>
                ))}
              </select>
            </label>
          </div>
          <dl>
            <div>
              <dt>{calculator.phones}</dt>
              <dd data-value="phones" />
            </div>
            <div>
              <dt>{calculator.perMessage}</dt>
              <dd data-value="segments" />
            </div>
            <div>
              <dt>{calculator.price}</dt>
              <dd data-value="price" />
            </div>
          </dl>
          <p className="calculator-total">
            <span>{calculator.total}</span>
            <output name="total" />
            <small className="calculator-range" hidden>
              {calculator.range}
            </small>
          </p>
          <p className="calculator-plain" hidden />
          <p className="tiny ink-3 calculator-note">{calculator.note}</p>
        </div>
      </form>
    </section>
  );
}
