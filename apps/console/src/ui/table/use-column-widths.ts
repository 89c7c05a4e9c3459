import { type CSSProperties, useState } from 'react';
import { phone, useMedia } from '../base/use-media.ts';
import { boundWidth } from './table-settings.ts';

export interface ColumnWidths {
  /** For the column's cells; undefined: as wide as its content and the table allow. */
  sizeOf: (column: string) => { style: CSSProperties; 'data-sized': true } | undefined;
  /** Shows a width while it is being changed. */
  draft: (column: string, width: number) => void;
  /** Stores the width that is shown. */
  keep: () => void;
  /** Gives the column back the width of its content. */
  reset: (column: string) => void;
}

/** Widths that the user sets: shown with each move, stored at its end. */
export function useColumnWidths(
  stored: Record<string, number>,
  store: (widths: Record<string, number>) => void,
): ColumnWidths {
  const [changed, setChanged] = useState<Record<string, number> | null>(null);
  // Cards have no columns.
  const isPhone = useMedia(phone);
  const widths = changed ?? stored;
  return {
    sizeOf: (column) => {
      const width = widths[column];
      if (width === undefined || isPhone) return undefined;
      return { style: { width, minWidth: width, maxWidth: width }, 'data-sized': true };
    },
    draft: (column, width) => setChanged({ ...widths, [column]: boundWidth(width) }),
    keep: () => {
      if (changed === null) return;
      store(changed);
      setChanged(null);
    },
    reset: (column) => {
      const { [column]: _, ...others } = widths;
      store(others);
      setChanged(null);
    },
  };
}
