import type { PriceCopy } from '../copy/shapes.ts';
import { FactCell } from './fact-cell.tsx';
import './page-part.css';

type ChargingCopy = PriceCopy['charging'];

/** When money moves, each rule with a small picture. */
export function ChargingSection({ copy }: { copy: ChargingCopy }) {
  return (
    <section className="page-part">
      <h2 className="part-heading">{copy.heading}</h2>
      <div className="part-cells">
        <WhenCell copy={copy.when} />
        <ReservedCell copy={copy.reserved} />
        <SegmentCell copy={copy.segment} />
      </div>
    </section>
  );
}

/** Which step of a message charges it: specification §16. */
const modes = [
  { name: 'SenderPays', step: 1 },
  { name: 'ReceiverPays', step: 2 },
] as const;

function WhenCell({ copy }: { copy: ChargingCopy['when'] }) {
  return (
    <FactCell heading={copy.heading} text={copy.text}>
      {modes.map(({ name, step }) => (
        <div key={name} className="charge-line">
          <b>{name}</b>
          <ol>
            {copy.steps.map((label, index) => (
              <li key={label} aria-current={index === step ? 'step' : undefined}>
                <span className="visually-hidden">{label}</span>
                {index === step && '₱'}
              </li>
            ))}
          </ol>
        </div>
      ))}
      <div className="charge-line" aria-hidden="true">
        <span />
        <div className="charge-steps">
          {copy.steps.map((label) => (
            <span key={label}>{label}</span>
          ))}
        </div>
      </div>
    </FactCell>
  );
}

function ReservedCell({ copy }: { copy: ChargingCopy['reserved'] }) {
  return (
    <FactCell heading={copy.heading} text={copy.text}>
      <div className="money-bars">
        <span>{copy.confirmed}</span>
        <div>
          <i>{copy.balance}</i>
          <i className="is-held">{copy.held}</i>
        </div>
        <span>{copy.ended}</span>
        <div>
          <i>{copy.returned}</i>
          <i className="is-spent">{copy.spent}</i>
        </div>
        <small>{copy.sample}</small>
      </div>
    </FactCell>
  );
}

/** Characters of a segment, specification §9. */
const capacities = { gsm: [160, 153], unicode: [70, 67] } as const;

function SegmentCell({ copy }: { copy: ChargingCopy['segment'] }) {
  return (
    <FactCell heading={copy.heading} text={copy.text}>
      <table className="capacities">
        <thead>
          <tr>
            <td />
            <th scope="col">{copy.alone}</th>
            <th scope="col">{copy.longer}</th>
          </tr>
        </thead>
        <tbody>
          {(['gsm', 'unicode'] as const).map((key) => (
            <tr key={key}>
              <th scope="row">{copy[key]}</th>
              {capacities[key].map((count) => (
                <td key={count}>{count}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </FactCell>
  );
}
