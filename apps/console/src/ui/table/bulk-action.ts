import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** Something that is done with selected rows. */
export interface BulkAction<R> {
  key: string;
  label: string;
  icon: LucideIcon;
  danger?: boolean;
  /** Whether it can be done with a row; by default with each. */
  isFor?: (row: R) => boolean;
  /** Asked before it is done: what happens next. Without it nothing is asked. */
  question?: ReactNode;
  /** Acts on one row, or throws. */
  one?: (row: R) => Promise<unknown>;
  /** Instead of `one`: acts on all in one call, or throws. */
  all?: (rows: readonly R[]) => Promise<unknown>;
  /** After all, whether or not some failed: reads again what has changed. */
  after?: () => Promise<unknown>;
}

export interface BulkActions<R> {
  /** What names a row, for screen readers and in questions. */
  nameOf: (row: R) => string;
  actions: readonly BulkAction<R>[];
}
