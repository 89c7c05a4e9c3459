import { useState } from 'react';
import { lazyPart } from '../feedback/lazy-part.ts';
import { PartBoundary } from '../feedback/part-boundary.tsx';
import { SkeletonLines } from '../feedback/skeleton.tsx';
import type { DateRangePanelProps } from './date-range-panel.tsx';

/** The content of a popover that chooses a range of time. Its code is loaded when it is first opened. */
export function DateRange(props: DateRangePanelProps) {
  // Not with the module: chunks of the kit import each other, and the one with `lazyPart` may come later.
  const [Panel] = useState(() => lazyPart(() => import('./date-range-panel.tsx')));
  return (
    <PartBoundary fallback={<SkeletonLines lines={6} />}>
      <Panel {...props} />
    </PartBoundary>
  );
}
