import type { Plugin } from 'vite';

const stubId = '\0pahatid-no-schemas';
const contract = /\/packages\/contract\/src\/[^/]+\.ts$/;

/**
 * Names under which the contract's files call for schemas and routes here. Nothing else in the console has these names,
 * so the bundler may assume that their calls have no effect: it identifies such functions by name alone.
 */
export const pureNames = ['pahatidSchema', 'pahatidRoute'];

/**
 * The contract's schemas are used by the server: the console takes types, enums and limits from it, and relies on the
 * server for the rest. Here they are empty, so that neither they nor their library are bundled with an enum. Code that
 * validates by a schema in the browser fails on its first call.
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
