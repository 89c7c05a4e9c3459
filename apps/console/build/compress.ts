import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { gzipSync } from 'fflate';
import type { Plugin } from 'vite';

const compressible = /\.(js|css|svg|json)$/;
const smallestBytes = 1_024;
/** Texts of one language each: there are many, and the last percents of packing cost a second for each. */
const isTranslation = (entry: string): boolean => entry.startsWith(join('assets', 'texts'));
const QUICK = 9;

const packBrotli = promisify(brotliCompress);

/** Also for files that are written after those of the build. */
export async function compressFile(folder: string, entry: string): Promise<void> {
  const path = join(folder, entry);
  const content = await readFile(path);
  if (content.length < smallestBytes) return;
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    ...(isTranslation(entry) && { [constants.BROTLI_PARAM_QUALITY]: QUICK }),
  };
  // Not Node's zlib, which gives other bytes on another processor (decision 137).
  await writeFile(`${path}.gz`, gzipSync(content, { level: 9, mtime: 0 }));
  await writeFile(`${path}.br`, await packBrotli(content, { params }));
}

/** Writes `.br` and `.gz` next to each built file, so that the server compresses nothing per request. */
export function compressFiles(): Plugin {
  return {
    name: 'pahatid-compress',
    apply: 'build',
    async writeBundle({ dir: folder }) {
      if (folder === undefined) throw new Error('The build has no folder');
      const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((each) =>
        compressible.test(each),
      );
      // Packed by threads, as many at a time as there are.
      await Promise.all(entries.map((entry) => compressFile(folder, entry)));
    },
  };
}
