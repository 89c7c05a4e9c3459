import { useEffect, useState } from 'react';
import type { ChartInput } from './chart-input.ts';

const storageKey = 'pahatid_textures';

function readChoice(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'on';
  } catch {
    return false;
  }
}

/** Whether charts have textures on this device, and those once they are loaded. */
export function useTextures() {
  const [isOn, setOn] = useState(readChoice);
  const [textures, setTextures] = useState<ChartInput['textures']>(null);
  useEffect(() => {
    // Without them the picture is complete, too.
    if (isOn) import('./textures.ts').then(setTextures, () => setOn(false));
    else setTextures(null);
  }, [isOn]);
  const choose = (next: boolean) => {
    setOn(next);
    try {
      if (next) localStorage.setItem(storageKey, 'on');
      else localStorage.removeItem(storageKey);
    } catch {
      // Only remembering fails.
    }
  };
  return { isOn, textures, choose };
}
