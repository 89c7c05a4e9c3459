import type { Plugin } from 'vite';
import { themeCss } from '../src/ui/theme/tokens.ts';

const id = 'virtual:theme.css';

/** `virtual:theme.css`: the palette of `src/ui/theme/tokens.ts` as CSS variables. */
export function themeVariables(): Plugin {
  return {
    name: 'pahatid-theme-css',
    resolveId: (source) => (source === id ? id : undefined),
    load: (source) => (source === id ? themeCss() : undefined),
  };
}
