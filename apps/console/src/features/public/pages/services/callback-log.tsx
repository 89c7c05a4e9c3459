import { Glyph } from '../../../../ui/status/glyphs.tsx';
import type { CpaasCopy } from '../../copy/service-shapes.ts';
import { SampleWindow } from './feature.tsx';

/** Attempts of each event of the sample, in its order. */
const attempts = [['done'], ['done'], ['bad', 'bad', 'done'], ['bad', 'now']] as const;
/** Attempts made of the last event, on the row of waits. */
const waited = ['bad', 'now'] as const;

const callbackUrl = 'shop.example/callback';

export function CallbackLog({ copy: { callbacks, sample } }: { copy: CpaasCopy }) {
  return (
    <SampleWindow name={callbacks.log} aside={<span className="mono ink-3">{callbackUrl}</span>} sample={sample}>
      <ul className="callback-rows">
        {callbacks.events.map(([time, event, status, result], index) => {
          const isDone = attempts[index]?.at(-1) === 'done';
          return (
            <li key={time}>
              <time>{time}</time>
              <span>
                <b>{event}</b>
                <small>{status}</small>
              </span>
              <span className="attempts" aria-hidden="true">
                {attempts[index]?.map((kind, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the index is the attempt.
                  <i key={at} className={`pane-swatch pane-${kind}`} />
                ))}
              </span>
              <span className={`status tone-${isDone ? 'success' : 'warning'}`}>
                <Glyph name={isDone ? 'done' : 'dots'} />
                {result}
              </span>
            </li>
          );
        })}
      </ul>
      <div className="waits">
        <span>{callbacks.waits}</span>
        <ol>
          {callbacks.units.map((unit, index) => (
            <li key={unit}>
              <i className={waited[index] && `pane-${waited[index]}`} />
              {unit}
            </li>
          ))}
        </ol>
      </div>
    </SampleWindow>
  );
}
