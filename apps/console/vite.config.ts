import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { catalogues } from './build/catalogues.ts';
import { compressFiles } from './build/compress.ts';
import { importedBy } from './build/entrance.ts';
import { localePacks } from './build/locale-packs.ts';
import { leaveOutSchemas, pureNames } from './build/no-schemas.ts';
import { pagePreloads } from './build/page-preloads.ts';
import { publicPages } from './build/public-pages.ts';
import { themeVariables } from './build/theme-css.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The texts of one language; they must stay out of the shared chunks. */
const languagePack =
  /node_modules\/(antd|@rc-component\/[a-z-]+)\/(es|lib)\/(locale|[a-z-]+\/locale)\/(?!en_US)|node_modules\/dayjs\/locale\//;
const antd = /node_modules\/(antd|@ant-design|@rc-component|@emotion|dayjs)\//;
/**
 * Parts of the kit that bring Ant Design with them must not ride in a chunk that the landing page needs, and the
 * calendar comes when it is first opened; files that go within a call are of few screens.
 */
const kit =
  /apps\/console\/src\/(ui|lib)\/(?!form\/antd-|form\/attachment-|form\/packs\/|files\/attachments|theme\/antd-theme|codes\/phone-rules|dates\/(?!date-range\.tsx))/;
const base = /node_modules\/(react|react-dom|scheduler)\//;
/** What the sign-in needs of the kit, in one chunk. */
const isOfEntrance = importedBy(
  [at('./src/main.tsx'), at('./src/app/sign-in/sign-in-page.tsx')],
  /apps\/console\/src\//,
);
const entrance = /apps\/console\/src\/(ui|lib)\/|node_modules\/lucide-react\//;
/** What the sign-in takes of the contract; the rest of it comes with the screens. */
const firstOfContract = /packages\/contract\/src\/(client|enums)\.ts/;
/** Used only by screens: not needed to sign in. */
const router = /node_modules\/@tanstack\//;

export default defineConfig({
  root: at('.'),
  plugins: [
    leaveOutSchemas(),
    react(),
    catalogues(at('./src/locales')),
    themeVariables(),
    localePacks(at('./src/lib/i18n/locales.json'), at('./src/ui/form/packs')),
    publicPages(),
    pagePreloads(at('./src/app/screens.ts')),
    compressFiles(),
  ],
  resolve: {
    dedupe: ['react', 'react-dom'],
  },
  server: { port: 5173, proxy: { '/api': { target: 'http://127.0.0.1:8080', changeOrigin: false } } },
  build: {
    outDir: at('./dist'),
    target: 'es2022',
    sourcemap: false,
    manifest: true,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      // The time is spent on packing the files, and a list of it is of no use to users that start the product.
      checks: { bundlerTimings: false },
      // The contract's schemas are for the server: a console that imports an enum must not ship them.
      treeshake: {
        moduleSideEffects: (id) => !/\/packages\/(contract|domain)\/src\//.test(id),
        manualPureFunctions: pureNames,
      },
      output: {
        assetFileNames: ({ names }) =>
          `assets/${(names[0] ?? 'file').replace(/~.*\.css$/, '.css').replace(/\.\w+$/, '')}-[hash][extname]`,
        chunkFileNames: ({ name, facadeModuleId }) => {
          const language = /virtual:catalogue\/(?!zh-CN|en-US)([\w-]+)\//.exec(facadeModuleId ?? '')?.[1];
          return `assets/${language === undefined ? '' : `texts/${language}-`}${name.split('~')[0]}-[hash].js`;
        },
        codeSplitting: {
          groups: [
            { name: 'base', test: base, priority: 20 },
            { name: 'router', test: router, priority: 20 },
            {
              name: 'antd',
              test: (id) => antd.test(id) && !languagePack.test(id),
              entriesAware: true,
              entriesAwareMergeThreshold: 60_000,
              priority: 10,
            },
            {
              name: (id, graph) => (firstOfContract.test(id) || isOfEntrance(id, graph) ? 'entrance' : null),
              debugName: 'entrance',
              test: (id) => entrance.test(id) || firstOfContract.test(id),
              priority: 8,
            },
            // The samples come with the screen that shows them.
            { name: 'contract', test: /packages\/contract\/src\/(?!samples)/, priority: 6 },
            // Behind the sign-in one sheet instead of six: they load in parallel, but each with a separate request.
            { name: 'kit-styles', test: /apps\/console\/src\/ui\/(?!dates\/)[^?]*\.css$/, priority: 6 },
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
