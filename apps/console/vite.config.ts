import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { catalogues } from './build/catalogues.ts';
import { compressFiles } from './build/compress.ts';
import { localePacks } from './build/locale-packs.ts';
import { publicPages } from './build/public-pages.ts';
import { themeVariables } from './build/theme-css.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The texts of one language; they must stay out of the shared chunks. */
const languagePack =
  /node_modules\/(antd|@rc-component\/[a-z-]+)\/(es|lib)\/(locale|[a-z-]+\/locale)\/(?!en_US)|node_modules\/dayjs\/locale\//;
const antd = /node_modules\/(antd|@ant-design|@rc-component|@emotion|dayjs)\//;
/** Parts of the kit that bring Ant Design with them must not ride in a chunk that the landing page needs. */
const kit = /apps\/console\/src\/(ui|lib)\/(?!form\/(select|date-time-input)|theme\/antd-theme)/;
const base = /node_modules\/(react|react-dom|scheduler|react-intl|@formatjs|intl-messageformat|@tanstack)\//;

export default defineConfig({
  root: at('.'),
  plugins: [
    react(),
    catalogues(at('./src/locales')),
    themeVariables(),
    localePacks(at('./src/lib/i18n/locales.json')),
    compressFiles(at('./dist')),
    publicPages(),
  ],
  resolve: {
    alias: [
      // Messages arrive as ASTs, so nothing may pull the ICU parser into the browser.
      {
        find: /^@formatjs\/icu-messageformat-parser$/,
        replacement: at('../../node_modules/@formatjs/icu-messageformat-parser/no-parser.js'),
      },
    ],
    dedupe: ['react', 'react-dom'],
  },
  server: { port: 5173, proxy: { '/api': { target: 'http://127.0.0.1:8080', changeOrigin: false } } },
  build: {
    outDir: at('./dist'),
    target: 'es2022',
    sourcemap: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      // The contract's schemas are for the server: a console that imports an enum must not ship them.
      treeshake: { moduleSideEffects: (id) => !/\/packages\/(contract|domain)\/src\//.test(id) },
      output: {
        assetFileNames: ({ names }) =>
          `assets/${(names[0] ?? 'file').replace(/~.*\.css$/, '.css').replace(/\.\w+$/, '')}-[hash][extname]`,
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            { name: 'base', test: base, priority: 20 },
            {
              name: 'antd',
              test: (id) => antd.test(id) && !languagePack.test(id),
              entriesAware: true,
              entriesAwareMergeThreshold: 60_000,
              priority: 10,
            },
            {
              name: 'kit',
              test: kit,
              entriesAware: true,
              entriesAwareMergeThreshold: 20_000,
              priority: 5,
            },
          ],
        },
      },
    },
  },
});
