import type { BindTracePdu } from '@pahatid/contract';
import { useState } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Mono } from '../../ui/data/text.tsx';
import './routing.css';

/** The exchanged PDUs, one per line; octets behind a button. */
export function BindTrace({ pdus }: { pdus: readonly BindTracePdu[] }) {
  const t = useText();
  const [shown, setShown] = useState<ReadonlySet<number>>(new Set());
  const turn = (n: number): void => {
    const next = new Set(shown);
    if (!next.delete(n)) next.add(n);
    setShown(next);
  };
  return (
    <>
      <ol className="routing-trace" aria-label={t('routing.trace')}>
        {pdus.map((pdu, n) => (
          <li key={`${pdu.direction}-${pdu.sequence}-${pdu.command}`}>
            <div className="routing-trace-line">
              <span className={`routing-direction is-${pdu.direction}`}>{t(`routing.trace.${pdu.direction}`)}</span>
              <Mono>{pdu.command}</Mono>
              <span className={pdu.status ? 'routing-error small' : 'ink-3 small'}>
                {pdu.statusName && (
                  <Mono>{`${pdu.statusName} (0x${(pdu.status ?? 0).toString(16).toUpperCase().padStart(2, '0')})`}</Mono>
                )}
              </span>
              <span className="routing-trace-end">
                <bdi dir="ltr" className="num small ink-3">{`${pdu.atMs} ms`}</bdi>
                <Button
                  size="small"
                  variant="quiet"
                  aria-expanded={shown.has(n)}
                  aria-label={t('routing.trace.hex.of', { command: pdu.command })}
                  onClick={() => turn(n)}
                >
                  {t('routing.trace.hex')}
                </Button>
              </span>
            </div>
            {shown.has(n) && (
              <pre className="routing-hex" dir="ltr">
                {(pdu.hex.match(/.{1,32}/g) ?? []).map((line) => (line.match(/../g) ?? []).join(' ')).join('\n')}
              </pre>
            )}
          </li>
        ))}
      </ol>
      <p className="tiny ink-3">{t('routing.trace.masked')}</p>
    </>
  );
}
