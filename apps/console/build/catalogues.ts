import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@formatjs/icu-messageformat-parser';
import type { Plugin } from 'vite';

/**
 * Catalogues are JSON files `src/locales/<locale>/<feature>.json` of ICU messages. This plugin turns them into ASTs at
 * build time, so that the browser gets no message parser, and merges them into two modules a language:
 * `virtual:catalogue/<locale>/public` (landing page, sign-in, what both sides of the door share) and
 * `virtual:catalogue/<locale>/console` (all the rest, loaded with the shell).
 */
const prefix = 'virtual:catalogue/';
const publicFeatures = new Set([
  'landing',
  'session',
  'captcha',
  'passwords',
  'setup',
  'invitations',
  'ui',
  'errors',
  'secondFactor',
]);

/** Plain text stays a string: react-intl passes it through, and it is smaller than its AST. */
function compileMessage(key: string, message: string): unknown {
  try {
    const ast = parse(message, { captureLocation: false });
    if (ast.length === 0) return '';
    return ast;
  } catch (cause) {
    throw new Error(`Message ${key} is not a valid ICU message: ${message}`, { cause });
  }
}

function readCatalogue(folder: string, wanted: (feature: string) => boolean, watch: (file: string) => void) {
  const compiled: Record<string, unknown> = {};
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.json') || !wanted(file.slice(0, -5))) continue;
    const path = join(folder, file);
    watch(path);
    const messages = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
    for (const [key, message] of Object.entries(messages)) compiled[key] = compileMessage(key, message);
  }
  return compiled;
}

export function catalogues(localesFolder: string): Plugin {
  return {
    name: 'pahatid-catalogues',
    resolveId(id) {
      return id.startsWith(prefix) ? `\0${id}` : undefined;
    },
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined;
      const [locale, part] = id.slice(prefix.length + 1).split('/');
      const folder = join(localesFolder, locale ?? '');
      const wanted = (feature: string) => publicFeatures.has(feature) === (part === 'public');
      const compiled = readCatalogue(folder, wanted, (file) => this.addWatchFile(file));
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(compiled))});`;
    },
    handleHotUpdate({ file, server }) {
      if (!file.startsWith(localesFolder)) return;
      for (const [id, module] of server.moduleGraph.idToModuleMap) {
        if (id.startsWith(`\0${prefix}`)) server.moduleGraph.invalidateModule(module);
      }
      server.ws.send({ type: 'full-reload' });
    },
  };
}
