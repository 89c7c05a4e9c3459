import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(js|css|svg|json)$/;
const smallestBytes = 1_024;
/** Texts of one language each: there are many, and the last percents of packing cost a second for each. */
const isTranslation = (entry: string): boolean => entry.startsWith(join('assets', 'texts'));
const QUICK = 9;

/** Writes `.br` and `.gz` beside each built file, so that the server compresses nothing per request. */
export function compressFiles(): Plugin {
  return {
    name: 'pahatid-compress',
    apply: 'build',
    writeBundle({ dir: folder }) {
      if (folder === undefined) throw new Error('The build has no folder');
      for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!compressible.test(entry)) continue;
        const path = join(folder, entry);
        const content = readFileSync(path);
        if (content.length < smallestBytes) continue;
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
        const params = {
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
          ...(isTranslation(entry) && { [constants.BROTLI_PARAM_QUALITY]: QUICK }),
        };
        writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
      }
    },
  };
}
