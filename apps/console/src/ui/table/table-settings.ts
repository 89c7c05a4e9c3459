import { useState } from 'react';

export type Density = 'comfortable' | 'compact';

interface TableSettings {
  density: Density;
  /** Columns switched from what they are by default. */
  switched: string[];
}

const initial: TableSettings = { density: 'comfortable', switched: [] };

function read(name: string): TableSettings {
  try {
    const stored = JSON.parse(localStorage.getItem(`pahatid_table_${name}`) ?? 'null') as Partial<TableSettings> | null;
    return {
      density: stored?.density === 'compact' ? 'compact' : 'comfortable',
      switched: Array.isArray(stored?.switched) ? stored.switched.map(String) : [],
    };
  } catch {
    return initial;
  }
}

/** Density and chosen columns of one list, remembered on this device. */
export function useTableSettings(name: string) {
  const [settings, setSettings] = useState(() => read(name));
  const change = (patch: Partial<TableSettings>) => {
    const next = { ...settings, ...patch };
    setSettings(next);
    try {
      localStorage.setItem(`pahatid_table_${name}`, JSON.stringify(next));
    } catch {
      // The list still changes; only remembering fails.
    }
  };
  return [settings, change] as const;
}
