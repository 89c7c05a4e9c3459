import { lazyPart } from '../feedback/lazy-part.ts';
import { PartBoundary } from '../feedback/part-boundary.tsx';
import { SkeletonLines } from '../feedback/skeleton.tsx';
import type { DateRangePanelProps } from './date-range-panel.tsx';

const Panel = lazyPart(() => import('./date-range-panel.tsx'));

/** The content of a popover that chooses a range of time. Its code is loaded when it is first opened. */
export const DateRange = (props: DateRangePanelProps) => (
  <PartBoundary fallback={<SkeletonLines lines={6} />}>
    <Panel {...props} />
  </PartBoundary>
);
