/** What visits cost on the wire: the sizes of their files as the server sends them, packed with brotli. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { CONSOLE, filesOf, PAGE, readManifest, SIGN_IN, screenModules, textsOf } from './chunk-files.ts';

const screensFile = path.resolve(import.meta.dirname, '../src/app/screens.ts');
/** What a list fetches in the background, since lists lead to forms. */
const FIELDS = ['src/ui/form/antd-select.tsx'];
/** Screens that draw with the library of charts. */
const CHARTS: Readonly<Record<string, string>> = {
  '/bussinessStatistics/statistics': 'src/features/statistics/echarts.ts',
};
/** The first list that a customer opens. */
const LIST = '/bulkMessage';

export interface Visit {
  readonly name: string;
  readonly bytes: number;
  readonly budget: number;
}

const KB = 1000;

/** Budgets are those of specification and product: bytes of html, css and script. */
export function measureVisits(dist: string): Visit[] {
  const manifest = readManifest(dist);
  const preloads = JSON.parse(readFileSync(path.join(dist, 'public/preloads.json'), 'utf8')) as Record<string, string>;
  const page = readFileSync(path.join(dist, 'index.html'), 'utf8');
  const screens = screenModules(readFileSync(screensFile, 'utf8'));
  const sizes = new Map<string, number>();
  const sizeOf = (file: string): number => {
    const known = sizes.get(file);
    if (known !== undefined) return known;
    const packed = statSync(path.join(dist, `${file}.br`), { throwIfNoEntry: false });
    const size = packed?.size ?? statSync(path.join(dist, file)).size;
    sizes.set(file, size);
    return size;
  };
  const sum = (files: Iterable<string>): number => [...files].reduce((bytes, file) => bytes + sizeOf(file), 0);
  const pageBytes = (address: string): number => packedSize(page + (preloads[address] ?? preloads['*'] ?? ''));

  // The heavier of the two languages speaks for both.
  const heaviest = (part: 'signIn' | 'arrival' | 'console'): string =>
    ['zh-CN', 'en-US']
      .map((locale) => textsOf(locale, part))
      .reduce((a, b) => (sum(filesOf(manifest, [a])) > sum(filesOf(manifest, [b])) ? a : b));
  const start = [PAGE, heaviest('signIn')];
  const inside = [...start, ...CONSOLE, heaviest('arrival'), heaviest('console')];
  const moduleOf = (address: string): string => {
    const found = screens.get(address);
    if (found === undefined) throw new Error(`No screen has the path ${address}`);
    return found;
  };
  const visit = (address: string, keys: readonly string[]): number =>
    pageBytes(address) + sum(new Set(['boot.js', ...filesOf(manifest, keys)]));
  const pack = 'virtual:locale-pack/zh-CN';
  const listKeys = [...inside, moduleOf(LIST), ...FIELDS, pack];
  const seen = filesOf(manifest, listKeys);
  const further = [...screens]
    .filter(([address]) => address !== LIST && CHARTS[address] === undefined)
    .map(([address, module]) => ({
      address,
      bytes: sum([...filesOf(manifest, [module])].filter((file) => !seen.has(file))),
    }))
    .sort((a, b) => b.bytes - a.bytes);

  const own = (name: string, bytes: number, budgetKb: number): Visit => ({ name, bytes, budget: budgetKb * KB });
  return [
    own('sign-in', visit('/', [...start, SIGN_IN]), 90),
    own(`first list, ${LIST}`, visit(LIST, listKeys), 340),
    ...Object.entries(CHARTS).map(([address, charts]) =>
      own(`with charts, ${address}`, visit(address, [...inside, moduleOf(address), charts]), 440),
    ),
    ...further.map(({ address, bytes }) => own(`a further screen, ${address}`, bytes, 40)),
    ...publicVisits(dist).map(({ name, bytes }) => own(`public page, ${name}`, bytes, 15)),
  ];
}

function publicVisits(dist: string): { name: string; bytes: number }[] {
  const { pages } = JSON.parse(readFileSync(path.join(dist, 'public/pages.json'), 'utf8')) as {
    pages: Record<string, string>;
  };
  return [...new Set(Object.values(pages))].map((name) => {
    const sizes = ['zh-CN', 'en-US'].map((locale) =>
      packedSize(readFileSync(path.join(dist, `public/${name}.${locale}.html`), 'utf8')),
    );
    return { name, bytes: Math.max(...sizes) };
  });
}

const packedSize = (text: string): number => brotliCompressSync(text).length;
