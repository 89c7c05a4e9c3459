import type { Plugin } from 'vite';

const stubId = '\0pahatid-no-schemas';
const contract = /\/packages\/contract\/src\/[^/]+\.ts$/;

/**
 * Names under which the contract's files call for schemas and routes here. Nothing else in the console bears them, so the
 * bundler may be told that their calls do nothing: it knows such functions by name alone.
 */
export const pureNames = ['pahatidSchema', 'pahatidRoute'];

/**
 * The contract's schemas are the server's: the console takes types, enums and limits from it, and the server's word for
 * the rest. Here they are made of nothing, so that neither they nor their library ride along with an enum. Whoever
 * wants to check something by a schema in the browser is told by the first try.
 */
export function leaveOutSchemas(): Plugin {
  return {
    name: 'pahatid-no-schemas',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      return source === 'zod' && importer && contract.test(importer) ? stubId : undefined;
    },
    load(id) {
      return id === stubId ? stub : undefined;
    },
    transform(code, id) {
      if (!contract.test(id)) return undefined;
      const renamed = code
        .replace(/import \{ z \} from 'zod';/, "import { z as pahatidSchema } from 'zod';")
        .replace(
          /import \{ route(, [^}]*)? \} from '\.\/route\.ts';/,
          "import { route as pahatidRoute$1 } from './route.ts';",
        )
        .replaceAll(/(?<![\w.$'])z(?=\s*\.\s*[a-z])/gi, 'pahatidSchema')
        .replaceAll(/(?<![\w.$'])route(?=\()/g, 'pahatidRoute');
      return { code: renamed, map: null };
    },
  };
}

const stub = `
const uses = new Set(['parse', 'safeParse', 'parseAsync', 'safeParseAsync', 'options', 'def']);
export const z = /* @__PURE__ */ new Proxy(() => z, {
  get: (_, name) => {
    if (uses.has(name)) throw new Error('Schemas are not in the browser');
    return z;
  },
  apply: () => z,
});
`;
