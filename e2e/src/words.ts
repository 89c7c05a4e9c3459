/** The console's own catalogues, so that a journey in another language presses the same buttons. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../apps/console/src/locales');

export type Words = (key: string, params?: Record<string, string | number>) => string;

/** Texts without plurals; parameters are put in as they are. */
export function wordsOf(locale: string): Words {
  const all: Record<string, string> = {};
  for (const file of readdirSync(path.join(folder, locale)))
    Object.assign(all, JSON.parse(readFileSync(path.join(folder, locale, file), 'utf8')));
  return (key, params = {}) => {
    const text = all[key];
    if (text === undefined) throw new Error(`no text ${key} in ${locale}`);
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
  };
}
