import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { AB_SHARES, mostShare, nameOfVariant, variantsOfPanes } from './ab-values.ts';

const large = 10;

interface AbPanesProps {
  /** Percent, of A and the following. */
  shares: readonly number[];
  onShare: (index: number, share: number) => void;
}

/** Fifty panes of the recipients, coloured by variant, with a handle at the end of each share. */
export function AbPanes({ shares, onShare }: AbPanesProps) {
  const bar = useRef<HTMLDivElement>(null);
  let end = 0;
  const ends = shares.map((share) => {
    end += share;
    return end;
  });
  const drag = (index: number, event: PointerEvent<HTMLSpanElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || bar.current === null) return;
    const { left, width } = bar.current.getBoundingClientRect();
    const passed = (event.clientX - left) / width;
    const percent = 100 * (getComputedStyle(bar.current).direction === 'rtl' ? 1 - passed : passed);
    onShare(index, percent - ((ends[index] ?? 0) - (shares[index] ?? 0)));
  };
  return (
    <div className="ab-panes" ref={bar}>
      {variantsOfPanes(shares).map((variant, pane) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a pane is its place.
        <i key={pane} className={variant === null ? undefined : `ab-${variant}`} aria-hidden="true" />
      ))}
      {shares.map((share, index) => (
        <Handle
          key={nameOfVariant(index)}
          index={index}
          share={share}
          most={mostShare(shares, index)}
          at={ends[index] ?? 0}
          onShare={(next) => onShare(index, next)}
          onDrag={(event) => drag(index, event)}
        />
      ))}
    </div>
  );
}

interface HandleProps {
  index: number;
  share: number;
  most: number;
  /** Percent from the start of the strip. */
  at: number;
  onShare: (share: number) => void;
  onDrag: (event: PointerEvent<HTMLSpanElement>) => void;
}

function Handle({ index, share, most, at, onShare, onDrag }: HandleProps) {
  const t = useText();
  const formats = useFormats();
  const press = (event: KeyboardEvent<HTMLSpanElement>) => {
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    const steps: Record<string, number> = {
      ArrowUp: share + 1,
      ArrowDown: share - 1,
      ArrowRight: isRtl ? share - 1 : share + 1,
      ArrowLeft: isRtl ? share + 1 : share - 1,
      PageUp: share + large,
      PageDown: share - large,
      Home: AB_SHARES.least,
      End: most,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onShare(next);
  };
  return (
    <span
      role="slider"
      tabIndex={0}
      className="ab-handle"
      style={{ insetInlineStart: `${at}%` }}
      aria-label={`${t('abTests.share')} ${nameOfVariant(index)}`}
      aria-valuemin={AB_SHARES.least}
      aria-valuemax={most}
      aria-valuenow={share}
      aria-valuetext={formats.percent(share / 100, 0)}
      onKeyDown={press}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onDrag}
    />
  );
}
