import type { CaptchaMove, SliderCaptcha } from '@pahatid/contract';
import { ArrowRight } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';

interface SliderPuzzleProps {
  puzzle: SliderCaptcha;
  /** By the page's clock: origin of the reported moves. */
  shownAt: number;
  busy: boolean;
  onAnswer: (answer: { position: number; trail: CaptchaMove[] }) => void;
}

const longestTrail = 600;

/**
 * The piece follows a range input: dragged by its thumb and submitted on release, or moved by keys and submitted by
 * Enter or the button. In right-to-left layouts the picture is mirrored and the slider runs the other way.
 */
export function SliderPuzzle({ puzzle, shownAt, busy, onAnswer }: SliderPuzzleProps) {
  const t = useText();
  const { width, height, pieceSize, pieceTop, step } = puzzle;
  const travel = width - pieceSize;
  const [position, setPosition] = useState(0);
  const [byKeys, setByKeys] = useState(false);
  const isHeld = useRef(false);
  const trail = useRef<CaptchaMove[]>([]);

  const note = (to: number) => {
    if (trail.current.length < longestTrail)
      trail.current.push([Math.round(performance.now() - shownAt), to, !isHeld.current]);
  };
  const finish = () => {
    if (position > 0 && !busy) onAnswer({ position, trail: trail.current });
  };
  const letGo = useEffectEvent((isMeant: boolean) => {
    if (isHeld.current && isMeant) finish();
    isHeld.current = false;
  });
  useEffect(() => {
    // On the window: the pointer may be released outside the slider.
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener('pointerup', () => letGo(true), { signal });
    window.addEventListener('pointercancel', () => letGo(false), { signal });
    return () => listening.abort();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Not the form's: the puzzle first.
    event.preventDefault();
    finish();
  };

  const share = (units: number, of: number) => `${(units / of) * 100}%`;
  const vars = { '--at': share(position, width), '--piece': share(pieceSize, width) } as CSSProperties;
  return (
    <div className="captcha-slider" style={vars} data-busy={busy || undefined}>
      <div className="captcha-picture" style={{ aspectRatio: `${width} / ${height}` }}>
        <img src={puzzle.background} alt="" draggable={false} />
        <img
          className="captcha-piece"
          src={puzzle.piece}
          alt=""
          draggable={false}
          style={{ insetBlockStart: share(pieceTop, height) }}
        />
      </div>
      <div className="captcha-track">
        <input
          type="range"
          aria-label={t('captcha.slider')}
          aria-valuetext={t('captcha.slider.at', { percent: Math.round((position / travel) * 100) })}
          min={0}
          max={travel}
          step={step}
          value={position}
          disabled={busy}
          onChange={(event) => {
            const to = Number(event.target.value);
            setPosition(to);
            note(to);
            if (!isHeld.current) setByKeys(true);
          }}
          onPointerDown={() => {
            isHeld.current = true;
            setByKeys(false);
            note(position);
          }}
          onKeyDown={onKeyDown}
        />
        <span className="captcha-thumb" aria-hidden="true">
          <Icon of={ArrowRight} mirror />
        </span>
        {position === 0 && (
          <span className="captcha-hint" aria-hidden="true">
            {t('captcha.slider.hint')}
          </span>
        )}
      </div>
      {byKeys && (
        <div className="captcha-keys">
          <span className="field-hint">{t('captcha.slider.keys')}</span>
          <Button size="small" onClick={finish} loading={busy}>
            {t('captcha.check')}
          </Button>
        </div>
      )}
    </div>
  );
}
