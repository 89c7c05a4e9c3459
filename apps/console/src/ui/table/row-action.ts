import type { LucideIcon } from 'lucide-react';

/** Something that is done with one row, without opening it. */
export interface RowAction<R> {
  key: string;
  label: string;
  icon: LucideIcon;
  /** Whether it can be done with a row; by default with each. */
  isFor?: (row: R) => boolean;
  /** Acts; a failure is shown. */
  run: (row: R) => unknown;
}

export interface RowActions<R> {
  /** What names a row, for screen readers. */
  nameOf: (row: R) => string;
  actions: readonly RowAction<R>[];
}
