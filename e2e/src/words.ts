/** The console's own catalogues, so that a journey in another language presses the same buttons. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../apps/console/src/locales');

export type Words = (key: string, params?: Record<string, string | number>) => string;

const readAll = (locale: string): Record<string, string> => {
  const all: Record<string, string> = {};
  if (!existsSync(path.join(folder, locale))) return all;
  for (const file of readdirSync(path.join(folder, locale)))
    Object.assign(all, JSON.parse(readFileSync(path.join(folder, locale, file), 'utf8')));
  return all;
};

/**
 * Returns texts without plurals; parameters are inserted unchanged. Missing translations are in en-US, as on the
 * screen.
 */
export function wordsOf(locale: string): Words {
  const all = { ...readAll('en-US'), ...readAll(locale) };
  return (key, params = {}) => {
    const text = all[key];
    if (text === undefined) throw new Error(`no text ${key} in ${locale}`);
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
  };
}
