import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

interface LocaleRow {
  locale: string;
  /** A pack of Ant Design, or, named after its locale, one of ours. */
  antd: string;
  dayjs: string;
}

const listId = 'virtual:locale-packs';
const packPrefix = 'virtual:locale-pack/';

/**
 * `virtual:locale-packs` maps each locale to a loader of its antd and dayjs texts. Each pack is a separate module,
 * fetched when a user selects that language.
 */
export function localePacks(localesFile: string, ourPacks: string): Plugin {
  const rows = JSON.parse(readFileSync(localesFile, 'utf8')) as LocaleRow[];
  return {
    name: 'pahatid-locale-packs',
    resolveId(id) {
      return id === listId || id.startsWith(packPrefix) ? `\0${id}` : undefined;
    },
    load(id) {
      if (id === `\0${listId}`) {
        const loaders = rows.map(({ locale }) => `  '${locale}': () => import('${packPrefix}${locale}'),`);
        return `export const loaders = {\n${loaders.join('\n')}\n};`;
      }
      if (!id.startsWith(`\0${packPrefix}`)) return undefined;
      const row = rows.find((candidate) => candidate.locale === id.slice(packPrefix.length + 1));
      if (!row) throw new Error(`No such locale: ${id}`);
      const dayjsImport = row.dayjs === 'en' ? '' : `import 'dayjs/locale/${row.dayjs}.js';\n`;
      const antd = row.antd === row.locale ? join(ourPacks, `${row.locale}.ts`) : `antd/es/locale/${row.antd}.js`;
      return `import antd from '${antd}';\n${dayjsImport}export default { antd, dayjs: '${row.dayjs}' };`;
    },
  };
}
