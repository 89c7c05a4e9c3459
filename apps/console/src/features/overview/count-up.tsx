import { useEffect, useRef, useState } from 'react';
import { useReducedMotion } from '../../ui/theme/color-mode.ts';

const countMs = 600;
const easeOut = (share: number) => 1 - (1 - share) ** 3;

/** Animates a number from the shown value to the current one: from zero at first, and to each newer one. */
function useCountUp(value: number): number {
  const still = useReducedMotion();
  const [shown, setShown] = useState(still ? value : 0);
  const from = useRef(shown);
  useEffect(() => {
    if (still) {
      from.current = value;
      return;
    }
    const [start, beganAt] = [from.current, performance.now()];
    let frame = requestAnimationFrame(function step(now) {
      const share = Math.min(1, Math.max(0, (now - beganAt) / countMs));
      from.current = share === 1 ? value : start + (value - start) * easeOut(share);
      setShown(from.current);
      if (share < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [value, still]);
  return still ? value : shown;
}

/** Counts up to a figure, and from there to the next as live data arrives; static if reduced motion is preferred. */
export const CountUp = ({ value, format }: { value: number; format: (value: number) => string }) => (
  <>{format(useCountUp(value))}</>
);
