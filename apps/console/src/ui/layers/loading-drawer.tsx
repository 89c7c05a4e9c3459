import type { ReactNode } from 'react';
import type { ApiError } from '../../lib/api/api-error.ts';
import { FailedState } from '../feedback/blank.tsx';
import { Delayed, SkeletonLines } from '../feedback/skeleton.tsx';
import { Drawer } from './drawer.tsx';

interface LoadingDrawerProps {
  title: ReactNode;
  width?: 'wide' | 'narrow';
  /** The read that fills the drawer; it has no data yet. */
  read: { error: ApiError | null; refetch: () => unknown };
  onClose: () => void;
}

/** A drawer whose content is loading, or could not be loaded. */
export function LoadingDrawer({ title, width = 'wide', read, onClose }: LoadingDrawerProps) {
  return (
    <Drawer title={title} width={width} onClose={onClose}>
      {read.error ? (
        <FailedState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Delayed>
          <SkeletonLines />
        </Delayed>
      )}
    </Drawer>
  );
}
