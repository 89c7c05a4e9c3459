import { type CallResult, columnWidths } from '@pahatid/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { callQuery, useCall } from '../../lib/api/use-call.ts';

export type Density = 'comfortable' | 'compact';

export interface TableSettings {
  density: Density;
  /** Columns switched from what they are by default. */
  switched: string[];
  /** Widths that the user set, in pixels. */
  widths: Record<string, number>;
}

export const isColumnShown = (
  { key, fixed = false, hidden = false }: { key: string; fixed?: boolean; hidden?: boolean },
  { switched }: TableSettings,
): boolean => fixed || hidden === switched.includes(key);

/**
 * Returns the columns that are shown. Where they may not all fit, the title and the state come first: they stay in view
 * while the rest is scrolled.
 */
export function toShownColumns<C extends { key: string; fixed?: boolean; hidden?: boolean; card?: string }>(
  columns: readonly C[],
  settings: TableSettings,
  isTight: boolean,
): C[] {
  const shown = columns.filter((column) => isColumnShown(column, settings));
  if (!isTight) return shown;
  const place = ({ card }: C) => ({ title: 0, state: 1 })[card ?? ''] ?? 2;
  return shown.toSorted((a, b) => place(a) - place(b));
}

const initial: TableSettings = { density: 'comfortable', switched: [], widths: {} };
const key = 'GET /view-settings';

function read(name: string): TableSettings {
  try {
    const stored = JSON.parse(localStorage.getItem(`pahatid_table_${name}`) ?? 'null') as Partial<TableSettings> | null;
    return {
      density: stored?.density === 'compact' ? 'compact' : 'comfortable',
      switched: Array.isArray(stored?.switched) ? stored.switched.map(String) : [],
      widths: toWidths(stored?.widths),
    };
  } catch {
    return initial;
  }
}

/** Without what is no width. */
export const toWidths = (stored: unknown): Record<string, number> =>
  Object.fromEntries(
    Object.entries(stored ?? {}).flatMap(([column, width]) =>
      typeof width === 'number' ? [[column, boundWidth(width)]] : [],
    ),
  );

export const boundWidth = (width: number): number =>
  Math.round(Math.min(columnWidths.max, Math.max(columnWidths.min, width)));

/**
 * Density, selected columns and their widths of one list, stored per user by the server, so that they are the same on every device;
 * this device's own copy applies them immediately.
 */
export function useTableSettings(name: string) {
  const client = useQueryClient();
  const stored = useCall(key, undefined, { staleTime: Number.POSITIVE_INFINITY });
  const [own, setOwn] = useState(() => read(name));
  const { density, switched, widths } = stored.data?.items.find(({ list }) => list === name) ?? own;
  const settings: TableSettings = { density, switched, widths };
  const change = (patch: Partial<TableSettings>) => {
    const next = { ...settings, ...patch };
    setOwn(next);
    client.setQueryData<CallResult<typeof key>>(
      callQuery(key).queryKey,
      (before) => before && { items: [...before.items.filter(({ list }) => list !== name), { list: name, ...next }] },
    );
    try {
      localStorage.setItem(`pahatid_table_${name}`, JSON.stringify(next));
    } catch {
      // The server's memory is left.
    }
    // For support views, and offline, the settings last until the page is closed.
    void call('PUT /view-settings/:list', { params: { list: name }, body: next }).catch(() => undefined);
  };
  return [settings, change] as const;
}
